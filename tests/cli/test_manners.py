"""Conventions of command lines: -o, -q, -m, names, bare numbers, colours, completion."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from argcomplete import CompletionFinder

from command_line import good, refused, run
from sameas.cli.common import named_paths
from sameas.cli.completion import complete
from sameas.cli.parser import COMMANDS
from sameas.examples import EXAMPLES, example_path
from saying import says

KEY, CAREFUL, EAGER = EXAMPLES


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in EXAMPLES:
        Path(name).write_bytes(example_path(name).read_bytes())
    return tmp_path


# --- -o ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ending", "options"),
    [(".txt", []), (".json", ["--json"]), (".csv", ["--csv"]), (".md", ["--markdown"]),
     (".tex", ["--latex"]), (".TEX", ["--latex"])],
)  # fmt: skip
def test_the_extension_of_the_file_determines_the_style(ending: str, options: list[str]) -> None:
    assert good("score", KEY, EAGER, "-o", f"scores{ending}") == ""
    assert Path(f"scores{ending}").read_text("utf-8") == good("score", KEY, EAGER, *options)


def test_an_option_overrides_the_extension() -> None:
    good("score", KEY, EAGER, "--csv", "--output", "scores.txt")
    assert Path("scores.txt").read_text("utf-8") == good("score", KEY, EAGER, "--csv")


def test_output_can_be_standard_output() -> None:
    assert good("score", KEY, EAGER, "-o", "-") == good("score", KEY, EAGER)


def test_a_file_is_not_written_if_the_command_fails() -> None:
    Path("scores.txt").write_text("before")
    assert refused("score", KEY, "missing.conll", "-o", "scores.txt")[0] == 1
    assert Path("scores.txt").read_text() == "before"


@pytest.mark.parametrize("given", [KEY, EAGER, f"./{EAGER}"])
def test_what_is_read_is_not_overwritten(given: str) -> None:
    before = Path(given).read_bytes()
    code, err = refused("score", KEY, f"new={EAGER}", "-o", given)
    assert (code, Path(given).read_bytes()) == (2, before)
    assert err.startswith("sameas: ")


def test_files_in_a_folder_that_is_read_are_not_overwritten() -> None:
    for folder, name in (("keys", KEY), ("found", EAGER)):
        Path(folder).mkdir()
        Path(folder, "a.conll").write_bytes(Path(name).read_bytes())
    for command in (["score"], ["errors", "--list"]):
        output = "keys/../found/a.conll"
        code, err = refused(*command, "keys", "found", "--json", "-o", output)
        assert (code, says("overwritten", output=output, path="found") in err) == (2, True)
    assert Path("found/a.conll").read_bytes() == Path(EAGER).read_bytes()
    assert good("score", "keys", "found", "-o", "found/../new.txt") == ""


@pytest.mark.parametrize("code", [0, 1])
def test_messages_do_not_reach_results_if_standard_error_is_closed(code: int) -> None:
    response = "missing.conll" if code else EAGER
    options = ["--print", "muc", "--singletons", "drop"]
    command = ["sh", "-c", '"$0" -m sameas score "$@" 2>&-', sys.executable, KEY, response]
    done = subprocess.run([*command, *options], capture_output=True, check=False)
    result = b"" if code else run("score", KEY, EAGER, *options)[1].encode()
    assert (done.returncode, done.stdout) == (code, result)


def test_convert_takes_its_output_as_an_option() -> None:
    good("convert", KEY, "a.jsonl")
    good("convert", KEY, "-o", "b.jsonl")
    assert Path("a.jsonl").read_bytes() == Path("b.jsonl").read_bytes()
    assert refused("convert", KEY, "c.jsonl", "-o", "d.jsonl")[0] == 2


# --- -q and -m --------------------------------------------------------------------------------


def test_quiet_prints_no_notes_on_standard_error() -> None:
    command = ["score", KEY, EAGER, "--singletons", "drop", "--csv"]
    code, out, err = run(*command)
    assert (code, err != "") == (0, True)
    assert run(*command, "-q") == (0, out, "")
    code, _, err = run("score", KEY, "missing.conll", "--quiet")
    assert (code, err.startswith("missing.conll: ")) == (1, True)


def test_metrics_have_a_short_option() -> None:
    assert good("score", KEY, EAGER, "-m", "muc") == good("score", KEY, EAGER, "--metrics", "muc")


@pytest.mark.parametrize("name", ["bcub", "bcubed", "B-CUBED", "b_cubed", "B³", "b^3"])
def test_other_names_of_metrics_are_understood(name: str) -> None:
    assert good("score", KEY, EAGER, "-m", name) == good("score", KEY, EAGER, "-m", "b3")


# --- names ------------------------------------------------------------------------------------


def names(*arguments: str) -> list[str]:
    return [one["response"] for one in json.loads(good("score", KEY, *arguments, "--json"))]


def test_responses_have_the_names_that_are_given() -> None:
    assert names(f"A={CAREFUL}", EAGER) == ["A", EAGER]
    first = good("score", KEY, f"A={CAREFUL}", f"B={EAGER}").splitlines()
    assert [line.split()[0] for line in first[2:4]] == ["A", "B"]


def test_a_path_may_have_an_equals_sign() -> None:
    Path("seed=1.conll").write_bytes(Path(EAGER).read_bytes())
    assert names("seed=1.conll", EAGER) == ["seed=1.conll", EAGER]
    assert names("one=seed=1.conll", EAGER) == ["one", EAGER]
    assert refused("score", KEY, f"={EAGER}")[0] == 2


def test_errors_takes_a_name() -> None:
    assert json.loads(good("errors", KEY, f"A={EAGER}", "--json"))["response"] == "A"


def test_files_of_one_name_are_distinguished_by_their_folders() -> None:
    for folder, name in (("1", CAREFUL), ("2", EAGER)):
        Path("runs", folder).mkdir(parents=True)
        Path("runs", folder, "out.conll").write_bytes(Path(name).read_bytes())
    compared = json.loads(
        good("compare", KEY, "runs/1/out.conll", "runs/2/out.conll", "--samples", 100, "--json")
    )
    assert list(compared["systems"]) == ["1", "2"]
    assert refused("compare", KEY, f"a={EAGER}", f"a={CAREFUL}")[0] == 2


def test_a_file_of_the_root_has_a_name() -> None:
    assert [name for name, _ in named_paths(["/out.conll", "x/out.conll"])] == ["/out", "x/out"]
    assert [name for name, _ in named_paths(["/"])] == ["/"]


def test_a_plot_shows_any_file_name() -> None:
    pytest.importorskip("matplotlib")
    name = os.fsdecode(b"b\xff.conll")
    Path(name).write_bytes(Path(EAGER).read_bytes())
    good("score", KEY, EAGER, name, "-o", "scores.txt", "--plot", "plot.svg")
    assert "b\\udcff" in Path("plot.svg").read_text()


# --- --print ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "number"),
    [
        ("conll", "82.44"),
        ("b3.recall", "92.98"),
        ("bcubed.precision", "74.47"),
        ("muc.f1", "88.89"),
    ],
)
def test_one_bare_number(asked: str, number: str) -> None:
    assert run("score", KEY, EAGER, "--print", asked) == (0, f"{number}\n", "")


def test_bare_numbers_of_several_responses() -> None:
    assert good("score", KEY, CAREFUL, EAGER, "--print", "conll", "--digits", 0) == "82\n82\n"


def test_a_negative_number_has_an_ascii_minus() -> None:
    Path("k.csv").write_text("mention,entity\na,1\nb,1\nc,2\nd,2\n")
    Path("r.csv").write_text("mention,entity\na,1\nb,2\nc,1\nd,2\n")
    assert float(good("score", "k.csv", "r.csv", "--print", "ari")) == -50


@pytest.mark.parametrize(
    "options",
    ["--print bogus", "--print all", "--print b3.bogus", "--print ari.recall", "--print conll --json",
     "--print conll --by genre", "--print conll -m muc", "--print conll --interval", "--print ,"],
)  # fmt: skip
def test_what_cannot_be_printed_as_a_number(options: str) -> None:
    assert refused("score", KEY, EAGER, *options.split())[0] == 2


def test_data_sets_have_a_bare_mean() -> None:
    for folder, name in (("gold", KEY), ("system", EAGER)):
        for part in ("one", "two"):
            Path(folder).mkdir(exist_ok=True)
            Path(folder, f"{part}.conll").write_bytes(Path(name).read_bytes())
    assert good("score", "--datasets", "gold", "system", "--print", "conll") == "82.44\n"


# --- colours ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variables", "option", "coloured"),
    [
        ({}, "auto", False),
        ({"FORCE_COLOR": "1"}, "auto", True),
        ({"FORCE_COLOR": ""}, "auto", False),
        ({"FORCE_COLOR": "0"}, "auto", False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, "auto", False),
        ({"NO_COLOR": "1"}, "always", True),
        ({"FORCE_COLOR": "1"}, "never", False),
    ],
)
def test_colours(
    variables: dict[str, str], option: str, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    text = good("errors", KEY, EAGER, "--document", "worst", "--color", option)
    assert ("\x1b[" in text) == coloured


def test_a_file_has_colours_only_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    command = ("errors", KEY, EAGER, "--document", "worst")
    good(*command, "-o", "plain.txt")
    good(*command, "-o", "coloured.txt", "--color", "always")
    assert "\x1b[" in good(*command, "-o", "-")
    assert "\x1b[" not in Path("plain.txt").read_text()
    assert "\x1b[" in Path("coloured.txt").read_text()


@pytest.mark.parametrize("option", ["--color always", "--show key"])
def test_options_of_a_text_need_a_document(option: str) -> None:
    code, err = refused("errors", KEY, EAGER, *option.split())
    assert (code, says("needs-document", option=option.split()[0]) in err) == (2, True)


# --- unknown options ----------------------------------------------------------------------------


@pytest.mark.parametrize(("given", "said"), [("--jsno", "--json"), ("--qqqqqq", "--qqqqqq")])
def test_an_unknown_option_is_answered_without_a_list(given: str, said: str) -> None:
    code, err = refused("score", KEY, EAGER, given)
    assert (code, said in err, len(err) < 120) == (2, True, True)


@pytest.mark.parametrize("given", ["-m muc -m b3", "-mmuc -mb3", "-m muc -mb3", "-qmmuc -mb3"])
def test_an_option_has_one_value(given: str) -> None:
    code, err = refused("score", KEY, EAGER, *given.split())
    assert (code, says("option-twice", option="-m") in err) == (2, True)


def test_files_after_two_dashes_are_no_options() -> None:
    for name, source in (("-mkey", KEY), ("-mb3", EAGER)):
        Path(name).write_bytes(Path(source).read_bytes())
    assert good("score", "--print", "muc", "--", "-mkey", "-mb3")
    whole = good("score", KEY, EAGER, "--print", "muc")
    assert good("score", KEY, "--print", "muc", "--", EAGER) == whole
    assert good("score", KEY, "--print", "muc", "--", "-mb3") == whole
    assert good("score", KEY, "--print", "muc", EAGER, "--") == whole


@pytest.mark.parametrize("given", ["--interval=95", "--interval=", "--quiet=yes"])
def test_a_flag_takes_no_value(given: str) -> None:
    code, err = refused("score", KEY, EAGER, given)
    option = given.partition("=")[0]
    assert (code, says("takes-no-value", option=option) in err) == (2, True)


def test_of_many_names_the_first_are_listed() -> None:
    text = Path(KEY).read_text()
    begin, end = text.index("#begin"), text.index("#end document") + len("#end document\n")
    _, body = text[begin:end].split("\n", 1)
    parts = [f"#begin document (d{number}); part 000\n{body}" for number in range(300)]
    Path("many.conll").write_text("".join(parts))
    code, err = refused("errors", "many.conll", "many.conll", "--document", "nosuch")
    assert code == 2
    assert "d9_0, … " in err
    assert "290" in err
    assert "d10" not in err


# --- Ctrl-C ---------------------------------------------------------------------------------------

INTERRUPTED = """
import sys

class Interrupt:
    def find_spec(self, name, *_):
        if name == {name!r}:
            raise {error}

sys.meta_path.insert(0, Interrupt())
from sameas.cli import main
main(["score", "--example"])
"""


@pytest.mark.parametrize("name", ["sameas.cli.common", "sameas.cli.score", "numpy"])
@pytest.mark.parametrize(
    "error", ["KeyboardInterrupt", "RuntimeError('__set_name__') from KeyboardInterrupt()"]
)
def test_imports_are_interrupted_silently(name: str, error: str) -> None:
    program = INTERRUPTED.format(name=name, error=error)
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, b"", b"")


# --- completion -------------------------------------------------------------------------------


Completions = Callable[..., set[str]]


@pytest.fixture
def completions(monkeypatch: pytest.MonkeyPatch) -> Completions:
    """Return the completions of a line; zsh also gets their descriptions."""
    monkeypatch.setattr(CompletionFinder, "_init_debug_stream", lambda self: None)

    def found(line: str, shell: str = "fish") -> set[str]:
        variables = {
            "_ARGCOMPLETE": "1",
            "_ARGCOMPLETE_SHELL": shell,
            "_ARGCOMPLETE_IFS": "\n",
            "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
            "COMP_LINE": line,
            "COMP_POINT": str(len(line)),
        }
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        output = StringIO()
        complete(output_stream=output, exit_method=lambda code: None)
        return set(output.getvalue().splitlines())

    return found


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("sameas ver", {"verify"}),
        ("sameas score --pre", {"--preset"}),
        ("sameas score --match h", {"head"}),
        ("sameas score --preset crac2", {"crac22", "crac23", "crac24", "crac25"}),
        ("sameas score -m ceaf", {"ceaf1", "ceaf2", "ceafm", "ceafe", "ceafm_rn", "ceafe_rn", "ceaf_sys"}),
        ("sameas score -m muc,b3_", {"muc,b3_0", "muc,b3_all", "muc,b3_rn", "muc,b3_sys"}),
        ("sameas score -m al", {"all"}),
        ("sameas score -m muc,mu", set()),
        ("sameas score ea", {EAGER}),
        ("sameas score key.conll new=ea", {f"new={EAGER}"}),
        ("sameas score key.conll --match head ea", {EAGER}),
        ("sameas score key.conll -m muc new=ea", {f"new={EAGER}"}),
        ("sameas cone key.conll new=ea", {f"new={EAGER}"}),
        ("sameas score --jobs ", set()),
        ("sameas score --compat ", {"none", "conll-8.01", "corefud-1.2"}),
        ("sameas score --duplicates ", {"first", "last", "merge", "error"}),
        ("sameas score --print b3", {"b3", "b3_0", "b3_all", "b3_rn", "b3_sys"}),
        ("sameas score --print b3.", {"b3.f1", "b3.recall", "b3.precision"}),
        ("sameas errors --kind span,missing-", {f"span,missing-{what}" for what in ("mention", "entity", "link")}),
        ("sameas errors --by d", {"document", "distance"}),
        ("sameas errors --where h", {"head="}),
        ("sameas errors --where mention=p", {"mention=pronoun"}),
        ("sameas errors --where kind=missing-l", {"kind=missing-link"}),
        ("sameas published --language ", {"English", "Chinese", "Arabic"}),
        ("sameas published --task CoNLL-2011,", {"CoNLL-2011,CoNLL-2012"}),
        ("sameas published --sort mu", {"muc"}),
        ("sameas published --system fern", {"fernandes"}),
        ("sameas published --place new=ea", {f"new={EAGER}"}),
        ("sameas cone --names ", {"annotated", "column", "rules", "spacy:"}),
        ("sameas scorer m", {"muc"}),
        ("sameas entropy --format ", {"sameas", "m2m", "phonetisaurus"}),
        ("sameas convert --to conll", {"conll", "conllu"}),
        ("sameas align --method segment,a", {"segment,affinity"}),
        ("sameas align --dataset sample:r", {"sample:ru"}),
        ("sameas transliterate evaluate --variants ", {"chinese", *EXAMPLES}),
        ("sameas transliterate train --method p", {"phoneme", "phonological"}),
        ("sameas compare --pairs ", {"first", "all"}),
        ("sameas transliterate tr", {"train"}),
        ("sameas transliterate train --mod", {"--model"}),
        ("sameas completion f", {"fish"}),
    ],
)  # fmt: skip
def test_completion(completions: Completions, line: str, expected: set[str]) -> None:
    assert completions(line) == expected


def test_all_commands_are_completed(completions: Completions) -> None:
    assert completions("sameas ") >= {*COMMANDS}


@pytest.mark.parametrize(
    "line",
    ["sameas score", "sameas -", "sameas score --s", "sameas score --match=h", "sameas score ea"],
)
def test_no_description_is_missing(completions: Completions, line: str) -> None:
    described = completions(line, "zsh")
    assert described
    assert not {one for one in described if one.endswith(":None")}
    assert not {one for one in described if one.startswith("--") and one.endswith(":")} - {
        "--match=head:"
    }


def test_the_shell_is_answered() -> None:
    variables = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_STDOUT_FILENAME": "found"}
    variables |= {"COMP_LINE": "sameas ver", "COMP_POINT": "10"}
    command = [sys.executable, "-m", "sameas"]
    subprocess.run(command, env={**os.environ, **variables}, check=True, timeout=60)
    assert Path("found").read_text().strip() == "verify"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    assert re.search(r"complete .*sameas|compdef .*sameas", good("completion", shell))
    assert refused("completion", "tcsh")[0] == 2


def test_completion_reports_what_to_install() -> None:
    program = (
        "import sys; sys.modules['argcomplete'] = None\n"
        "from sameas.cli import main; main(['completion', 'bash'])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    before, _, _ = says("not-installed", module="argcomplete", command="").rpartition(":")
    assert before in ran.stderr


def test_a_checked_response_may_have_a_name() -> None:
    assert good("check", KEY, f"mine={EAGER}") == good("check", KEY, EAGER)
