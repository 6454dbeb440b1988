"""Word lists about people and peoples: titles, given names, nicknames, countries, companies.

General knowledge, written by hand, mostly English. All words are in small letters, without dots.
A list is a hint, never a condition: a name that is in none is compared by its words alone.
"""

from __future__ import annotations

__all__ = [
    "COMPANY_SUFFIXES",
    "COUNTRY_OF",
    "EPITHETS",
    "GIVEN_NAMES",
    "NICKNAMES",
    "PARTICLES",
    "STATES",
    "SUFFIXES",
    "TITLES",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _genders(male: str, female: str, either: str) -> dict[str, str]:
    found = dict.fromkeys(either.split(), "")
    found |= dict.fromkeys(male.split(), "m")
    found |= dict.fromkeys(female.split(), "f")
    return found


#: Titles and ranks that stand before a name, and the gender they tell ("m", "f", or "" for none).
TITLES: dict[str, str] = _genders(
    male="""mr mister messrs sir lord king prince duke earl count baron baronet viscount marquis
    marquess squire esq esquire father fr brother friar monsieur m messieurs mm herr
    signor signore señor senor don dom uncle grandfather grandpa grandad granddad papa
    dad daddy emperor tsar czar kaiser sultan shah emir caliph pope abbé abbe abbot monk
    gentleman chevalier sieur master pasha bey effendi sahib rajah raja maharajah
    archduke sheikh sheik imam ayatollah rabbi altgraf graf freiherr widower pater padre
    rev reverend""",
    female="""mrs miss ms mistress missus missis misses lady queen princess duchess countess
    baroness viscountess marchioness marquise dame sister mother madame mme mademoiselle
    mlle madam ma'am frau fräulein fraulein signora signorina señora senora señorita
    senorita doña dona donna aunt auntie aunty grandmother grandma granny mama mamma mom
    mommy mum mummy empress tsarina czarina abbess nun widow goody dowager sultana begum
    ranee rani archduchess""",
    either="""dr doctor prof professor president vice-president chancellor premier minister
    secretary senator sen representative rep congressman congresswoman governor gov
    mayor judge justice attorney general gen colonel col lieutenant-colonel major maj
    captain capt cap'n commander cmdr commodore admiral adm lieutenant lieut lt sergeant
    sergt sgt corporal cpl private pvt marshal brigadier ensign midshipman bosun
    inspector detective constable officer sheriff deputy superintendent chief director
    chairman chairwoman chairperson ceo cardinal archbishop bishop deacon archdeacon
    dean canon vicar pastor curate parson prelate chaplain saint st ste santa san hon
    honorable honourable ambassador consul councillor councilor alderman coach nurse
    cousin baby comrade citizen farmer dictator regent crown vice prime first deputy
    assistant associate former ex late old young little poor dear""",
)

#: Titles that are also common words, so that they are titles only before another capital word,
#: and that do not distinguish people: "old John" may be "young John".
EPITHETS = _words(
    "old young little poor dear late former ex crown vice prime first deputy assistant"
)

#: Given names that are frequent in English texts and the gender they tell.
GIVEN_NAMES: dict[str, str] = _genders(
    male="""aaron abdul abdullah abel abner abraham abram adam adolf adolph adolphus adrian
    ahmad ahmed aidan akira alan alasdair alastair albert alberto alec aleksandr
    alessandro alex alexander alexandre alexei alfonso alfred alfredo algernon ali
    alistair allan allen alonzo aloysius alphonse alvin amadeus ambrose amir amos
    anatole anders andre andreas andrei andrew andy angus anthony anton antoine antonio
    antony archibald archie ari aristotle armand arnold art arthur arturo asher athos
    aubrey august augustine augustus austin axel barnaby barney barry bart bartholomew
    basil ben benedict benito benjamin bennett benny bernard bernardo bernie bert bertie
    bertram bill billy bjorn blake bob bobby boris boyd brad bradley brandon brendan
    brent brett brian bruce bruno bryan bryce byron caesar caleb calvin carl carlo
    carlos carlton casper caspar cecil cedric cesar chad charles charley charlie chester
    chris christian christopher chuck clarence claude claudius clayton clement cliff
    clifford clifton clint clinton clive clyde cole colin conor connor conrad
    constantine corey cornelius craig curt curtis cuthbert cyril cyrus dale damian
    damien dan daniel danny dante darius darren darryl daryl dave david davy dean denis
    dennis denny derek dermot desmond dexter dick diego dieter dietrich dimitri dirk
    dmitri dmitry dominic don donald doug douglas drew duane dudley duncan dustin dwayne
    dwight earl earnest ebenezer ed eddie eddy edgar edmond edmund eduardo edward edwin
    egbert elbert eli elias elijah eliot elisha elliot elliott ellis elmer elvis emanuel
    emil emile emilio emmanuel enoch enrico enrique ephraim erasmus eric erich erik
    ernest ernesto ernie ernst erwin esteban ethan eugene eustace evan everett evgeny
    ezekiel ezra fabian felipe felix ferdinand fergus fernando fidel finn floyd forrest
    francesco francis francisco franco francois françois frank frankie franklin franz
    fred freddie freddy frederic frederick fredrick fridtjof friedrich fritz fyodor
    gabriel gareth garrett garth gary gaston gavin gene geoff geoffrey george georg
    georges georgie gerald gerard gerhard gerry gideon gilbert giles gino giorgio
    giovanni giulio giuseppe glen glenn godfrey gordon graham grant greg gregor gregory
    griffith guido guillaume guillermo gunther gus gustav gustave gustavus guy hal
    hamish hamlet hank hannibal hans harald harold harry hartley harvey hasan hassan
    hector heinrich heinz helmut henri henrik henry herbert herbie herman hermann
    hernando hezekiah hiram hiroshi homer horace horatio howard hubert hugh hugo
    humphrey hussein ian ibrahim ichabod ignacio ignatius igor ike immanuel ira irving
    isaac isaiah isidore ismail israel ivan ivor jack jackson jacob jacques jaime jake
    jakob james jamie jan jared jarvis jason jasper javier jean jeb jed jeff jefferson
    jeffrey jeffry jem jerome jeremiah jeremy jerry jess jesse jethro jim jimmie jimmy
    jimbo joachim job jock joe joel joey johan johann johannes john johnnie johnny jon
    jonah jonas jonathan jorge jose josé josef joseph josh joshua josiah juan judah jude
    jules julian julio julius jurgen jürgen justin karl kaspar keith ken kenneth kenny
    kent kevin kirk klaus konrad kristian kurt kyle lance lancelot larry lars laurence
    lawrence lazarus leander lee leif lemuel len lenny leo leon leonard leonardo leonid
    leopold leroy leslie lester levi lewis liam lincoln linus lionel lloyd logan lorenzo
    lothar lou louis lucas lucian luciano lucifer lucius ludwig luigi luis luke luther
    lyle lyndon mack magnus malcolm manfred manuel marc marcel marcello marco marcos
    marcus mario marion mark marlon marmaduke marshall martin marty marvin mason mathew
    mathias matt matteo matthew matthias maurice max maximilian maxwell maynard mehmet
    mel melvin merlin merton mervyn micah michael michel miguel mikael mike mikhail
    miles milo milton mitch mitchell moe mohamed mohammad mohammed montague monty
    mordecai morgan moritz morris mortimer moses muhammad murray mustafa nathan
    nathaniel ned neil nelson nero neville newton nicholas nick nicky nicola nicolas
    niels nigel nikita nikolai noah noel norbert norm norman octavius olaf ole oleg
    oliver olivier omar orlando orson oscar osman oswald otis otto owen pablo paolo
    pascal pat patrick paul paulo pavel pedro perceval percival percy perry pete peter
    phil philip philippe phillip phineas pierre pieter piotr plato porter prescott
    preston quentin quincy rafael ralph ramon randall randolph randy raoul raphael raul
    ray raymond reggie reginald reinhard remy rené reuben rex reynold rhys ricardo
    richard rick ricky rob robbie robert roberto robin rod roderick rodney rodolfo
    rodrigo roger roland rolf roman romeo ron ronald ronnie rory ross roy ruben rudolf
    rudolph rudy rufus rupert russ russell ryan sal salvador salvatore sam sammy samson
    samuel sancho saul scott sean sebastian septimus serge sergei sergey sergio seth
    seymour shaun shawn sheldon sherlock sherman sidney siegfried sigmund silas silvio
    simeon simon sinclair socrates sol solomon spencer stan stanley stefan stefano
    stephan stephen sterling steve steven stewart stuart sven sylvester tarquin ted
    teddy terence terry thaddeus theo theobald theodore thomas thor tim timothy titus
    tobias toby todd tom tommaso tommy tony travis trevor tristan tyler ulrich ulysses
    uriah valentine vaughn vernon vic victor viktor vince vincent vincente virgil vito
    vladimir wallace wally walt walter ward warren waldo wayne wendell werner wesley
    wilbur wilfred wilfrid wilhelm will willard willem william willie willis willy
    wilson winston wolfgang woodrow wyatt xavier yosef yuri yusuf yves zachariah zachary
    zack zane zeke""",
    female="""abby abigail ada adela adelaide adele adeline adriana agatha agnes aileen aimee
    aisha alberta alexandra alexis alice alicia alina alison alma althea alyssa amanda
    amber amelia amy ana anastasia andrea angela angelica angelina angeline anita ann
    anna annabel annabelle anne annette annie antoinette antonia antonina april arabella
    ariadne ariel arlene ashley astrid athena aurora ava avis babette barbara bathsheba
    bea beatrice beatrix becca becky belinda bella belle berenice bernadette bernice
    bertha bess bessie beth betsy bettina betty beulah beverly bianca birgit blanche
    bonnie brenda bridget brigid brigitte britney brittany camilla camille candace cara
    carla carlotta carmen carol carole caroline carolyn carrie cassandra cassie catalina
    catharine catherine cathy cecile cecilia cecily celeste celia celine charity
    charlene charlotte chelsea cheryl chloe christa christiana christie christina
    christine cindy claire clara clare clarissa claudia clementine cleopatra clothilde
    colette colleen constance consuelo cora coral cordelia corinne cornelia cosette
    cristina crystal cynthia dahlia daisy daphne darlene dawn deanna debbie deborah
    debra deirdre delia delilah della denise desdemona desiree diana diane dido dinah
    dolly dolores dora dorcas doreen doris dorothea dorothy dot edith edna edwina effie
    eileen elaine eleanor eleanore elena elfrida elinor elisa elisabeth elise eliza
    elizabeth ella ellen ellie eloise elsa elsie elspeth elvira emilia emily emma
    emmeline enid erica erika erin ernestine esmeralda estella estelle esther ethel etta
    eudora eugenia eugenie eunice eva evangeline eve evelina evelyn faith fanny fatima
    faustina fay felicia felicity fern fiona flavia flora florence flossie frances
    francesca francine françoise frederica freda frida frieda gabriela gabrielle gail
    genevieve georgette georgia georgiana georgina geraldine gertie gertrude gina ginny
    gisela giulia gladys gloria goldie grace greta gretchen gretel griselda guinevere
    gwen gwendolen gwendolyn hagar hanna hannah harriet hattie hazel heather hedda
    hedwig heidi helen helena helene helga henrietta hermia hermione hester hetty hilary
    hilda hildegard holly honor honoria hope hortense hyacinth ida ilse imogen ines inez
    ingeborg ingrid irena irene iris irma isabel isabella isabelle isadora isolde ivy
    jacqueline jana jane janet janette janice janine jasmine jeanette jeanie jeanne
    jeannie jemima jemma jenna jennie jennifer jenny jessica jessie jezebel jill jo joan
    joanna joanne jocelyn jodie johanna josephine josie joy joyce juana juanita judith
    judy julia juliana julie juliet juliette june juno justine kaitlyn karen karin
    karina karla kate katharina katharine katherine kathleen kathryn kathy katie katrina
    katya kay kayla keira kelly kerry kimberly kirsten kitty klara kristen kristin
    kristina krystal lana lara latifa latoya laura laurel lauren laurie lavinia lea leah
    leila lena leonora leslie letitia letty liberty lida lidia lila lili lilian liliana
    lilith lillian lilly lily linda lindsay lindsey lisa lise lisette liz liza lizzie
    lizzy lois lola lolita loretta lorna lorraine lottie louisa louise lucia lucille
    lucinda lucrezia lucy lulu luna lydia lynda lynn mabel maddie madeleine madeline
    madge mae magdalen magdalena maggie maisie malvina mamie mandy marcella marcia
    margaret margareta margarita margaux marge margery margie margo margot marguerite
    maria mariah mariam marian mariana marianne marie mariella marietta marilyn marina
    marisa marjorie marlene martha martina mary maryam matilda matty maud maude maura
    maureen mavis maxine may mavra meg megan melanie melinda melissa mercedes mercy
    meredith mildred millicent millie milly mimi mina minerva minna minnie mira miranda
    miriam moira mollie molly mona monica monique muriel myra myrna myrtle nadia nadine
    nan nana nancy naomi natalia natalie natasha nell nellie nelly nettie nicole nina
    nora norah noreen norma octavia odette olga olive olivia olympia opal ophelia oriana
    ottilie pamela pandora pansy pat patience patricia patsy patty paula paulette
    paulina pauline pearl peg peggy penelope pepita perdita petra petronella petunia
    philippa phoebe phyllis pippa polly poppy portia priscilla prudence rachael rachel
    ramona raquel rebecca regina renata renee rhoda rhonda rita roberta robyn rosa
    rosalba rosalie rosalind rosaline rosamond rosamund rosanna rose roseanne roseline
    rosemary rosetta rosie rosina rowena roxana roxanne ruby ruth sabina sabine sabrina
    sadie sally salome samantha sandra sandy sara sarah selena selina selma serena
    shannon sharon sheila shelley sheri sherry shirley sibyl sidonia sigrid silvia
    simone sofia sonia sonya sophia sophie sophronia stacey stacy stella stephanie sue
    susan susanna susannah susie suzanne suzy svetlana sybil sylvia tabitha tamara tammy
    tania tanya tara tatiana tatyana teresa terri tess tessa thelma theodora theresa
    thérèse theresa thora tiffany tilda tillie tilly tina titania tracy trina trish
    trixie trudy ursula valeria valerie vanessa vera verena verity verna veronica vicky
    victoria viola violet violetta virginia vivian viviane vivien vivienne wanda wendy
    whitney wilhelmina wilma winifred winnie xenia yasmin yolanda yoko yvette yvonne
    zelda zoe zora zuleika""",
    either="""alexis angel ariel ashley aubrey avery bailey beverley cameron carey carol casey
    chris clair courtney dana dominique drew emerson evelyn fran frankie gale hilary
    jackie jamie jan jean jess jessie jo jody jordan kelly kerry kim kit lee leslie
    lindsay lynn marion morgan nicola nicky noel pat quinn reese riley robin ronnie
    rowan sam sandy sasha shannon shelby sidney sky stacy sydney taylor terry tracy val
    vivian""",
)
for _either in _words(
    """alexis ariel ashley aubrey carol chris drew evelyn frankie hilary jamie jan jean jess jessie
    jo kelly kerry lee leslie lindsay lynn marion morgan nicola nicky noel pat robin ronnie sam
    sandy shannon sidney stacy terry tracy vivian alex"""
):
    GIVEN_NAMES[_either] = ""


def _nicknames(text: str) -> dict[str, frozenset[str]]:
    """Of each short form, the names it stands for; of lines `full: short short`."""
    found: dict[str, set[str]] = {}
    for line in text.strip().splitlines():
        full, short = line.split(":")
        for nickname in short.split():
            found.setdefault(nickname, set()).update(full.split())
    return {nickname: frozenset(full) for nickname, full in found.items()}


#: Of each nickname, the given names it stands for.
NICKNAMES: dict[str, frozenset[str]] = _nicknames(
    """
    abigail: abby abbie gail nabby
    abraham: abe abram
    adelaide adeline: addie ada adele
    albert: al bert bertie
    alexander: alex alec alick sandy xander sasha lex sawney
    alexandra: alex sandra lexie sasha alix
    alfred: al alf alfie fred
    alice: allie elsie ally
    algernon: algy
    amanda: mandy
    amelia: amy millie milly emmy
    andrew: andy drew
    angela: angie
    ann anne anna hannah: annie nan nancy nanny anny nina
    anthony antony: tony
    antonio: tony toni
    antoinette antonia: toni nettie
    archibald: archie archy
    arthur: art artie
    augustus augustine august: gus gussie
    barbara: barb babs barbie
    bartholomew: bart bat
    beatrice beatrix: bea trixie trix beattie
    benedict: ben
    benjamin: ben benny benjy bennie
    bernard: bernie barney
    bertram: bert bertie
    bertha: bertie
    bradley: brad
    bridget: biddy bridie
    caroline carolyn: carrie caro lina
    cassandra: cass cassie
    catherine katherine katharine catharine kathryn: kate kitty katie kathy cathy kit kat katy
    catherine katherine katharine catharine kathryn: cat kath kay cate trina
    catherine ekaterina yekaterina: katya
    cecilia cecily: cis sis cissy cissie
    charles: charlie charley chuck chas carl
    charlotte: lottie charlie lotty lotta
    christian: chris
    christina christine: chris chrissie tina christie kirsty chrissy
    christopher: chris kit topher
    clarence: clarry
    clarissa: clara clary
    clement: clem
    clifford: cliff
    clinton: clint
    constance: connie
    cornelius: neil corny
    curtis: curt
    cynthia: cindy
    daniel: dan danny
    david: dave davy davey davie
    deborah debra: deb debbie debby
    dennis: denny den
    diana diane: di
    dominic: dom nick
    donald: don donnie
    dorothea dorothy: dolly dot dora dottie dodo thea dorry dolley
    douglas: doug
    edgar: ed eddie ned
    edmund edmond: ed eddie ned ted
    edward: ed eddie eddy ned ted teddy neddy
    edwin: ed eddie ned win
    edith: edie
    eleanor elinor: nell nellie nelly ellie nora ella lena leonora elly
    elijah: eli lige
    elizabeth elisabeth: liz lizzie lizzy eliza beth betty betsy bess bessie lisa elsie libby
    elizabeth elisabeth: liza lib betsey lilibet elspeth bettie lise elise lisbeth
    ellen: nell nellie nelly ellie
    emily: em emmy emmie millie
    emma: em emmy emmie
    emmanuel: manny
    ernest: ernie
    esther hester: essie hetty hettie
    eugene: gene
    eugenia eugenie: genie
    evelina: eva evie
    evelyn: evie eve
    ezekiel: zeke
    ferdinand: ferdie
    florence flora: flo flossie florrie flory
    frances: fanny fran francie frankie frannie fannie
    francis: frank frankie fran
    francisco: pancho paco frank
    franklin: frank
    frederick frederic fredrick: fred freddie freddy fritz
    frederica: freddie
    gabriel: gabe
    gabrielle gabriela: gabby
    genevieve: jenny gen
    geoffrey: geoff jeff
    george: georgie geordie
    georgiana georgina: georgie georgy gina
    gerald: gerry jerry
    geraldine: gerry
    gerard: gerry
    gertrude: gertie trudy gert
    gilbert: gil bert
    gregory: greg
    gustav gustave: gus
    harold: hal harry
    harriet: hattie hatty harry hetty
    heinrich: heinz heini
    helen helena: nell nellie nelly lena ellie
    henrietta: etta hetty ettie harry hattie
    henry: harry hal hank
    herbert: herb herbie bert bertie
    hilary: hil
    horace horatio: horry
    howard: howie
    hubert: bert hugh
    humphrey: numps
    ignatius: iggy
    isaac: ike zack
    isabel isabella isabelle: bell bella belle izzy tibby isa
    jacob: jake jack jakie
    jacqueline: jackie
    james: jim jimmy jamie jem jemmy jimmie jas jimbo
    jane janet: jenny jennie janie jenney janey
    jean jeanne: jeanie jeannie jenny
    jeffrey: jeff
    jennifer: jen jenny jenna jennie
    jeremiah: jerry jem
    jeremy: jerry jem
    jerome: jerry
    jessica: jess jessie
    joan joanna joanne: jo joanie
    johann johannes: hans
    john: jack johnny johnnie jock jacky jackie jno ian
    jonathan: jon jonny
    joseph: joe joey jo jos joss
    josephine: jo josie
    joshua: josh
    josef: sepp
    judith: judy
    julia juliana juliet: julie jill
    kenneth: ken kenny
    kimberly: kim
    lancelot: lance
    lawrence laurence: larry laurie lorry
    laura: laurie lolly
    leonard: len lenny leo leon
    leonardo: leo
    leopold: leo poldy
    leslie: les
    letitia: letty lettice tish
    lillian lilian: lily lil lilly
    louis: lou louie
    louisa louise: lou lulu louie
    lucinda: lucy cindy
    lucy lucille: lu
    mabel: may
    madeleine madeline: maddie maddy
    magdalena magdalen: lena magda
    malcolm: mal
    manuel: manny manolo
    marcus mark: marc
    margaret: maggie meg peggy peg madge marge margie daisy greta rita maisie meggie margery
    margaret: mag margot
    maria marie: mary mamie mimi
    marianne: nan
    marilyn: lynn
    martha: matty mattie patty
    martin: marty
    mary: polly molly moll mollie may mamie minnie mae
    matilda: tilly tillie mattie maud maudie
    matthew: matt mat
    maurice: morrie
    maxwell maximilian: max
    melanie: mel
    melissa: mel missy lissa
    mercedes: mercy sadie
    michael: mike mick mickey mikey micky misha
    mikhail: misha
    mildred: millie milly
    millicent: millie milly
    miranda: randy mira
    mitchell: mitch
    montague montgomery: monty
    morris: morry
    mortimer: mort
    natalia natalie: natasha nat
    nathan nathaniel: nat nate natty
    nicholas nicolas: nick nicky nico klaus nicko
    nikolai: kolya
    norman: norm
    oliver: ollie noll
    oswald: ozzie oz
    pamela: pam
    patricia: pat patty patsy trish tricia patti
    patrick: pat paddy patsy
    penelope: penny pen
    percival: percy
    peter: pete
    philip phillip: phil pip
    philippa: pippa
    priscilla: prissy cilla
    prudence: prue
    rachel: rae shelly
    randolph randall: randy
    raymond: ray
    rebecca: becky becca beckie
    reginald: reg reggie rex
    richard: dick rick ricky dickie dicky rich richie dickon ritchie
    robert: bob bobby rob robbie bert robin bobbie robby rab
    roberta: bobbie
    roderick rodney: rod roddy
    roger: rodge hodge
    roland: rollo rolly
    ronald: ron ronnie
    rosalind rosamond rosamund rosalie rosemary: rose rosie rosy
    rose: rosie rosy
    rudolph rudolf: rudy rolf
    rupert: rupe
    russell: russ
    salvatore: sal
    samuel: sam sammy
    samantha: sam sammie
    sarah sara: sally sadie sal
    sebastian: seb
    sergei sergey: seryozha
    sidney sydney: sid syd
    simon: si
    solomon: sol
    sophia sophie: sophy sonya
    stanley: stan
    stephanie: steph
    stephen steven: steve stevie
    stewart stuart: stu
    susan susanna susannah suzanne: sue susie suky suzy susy sukey
    sylvester: sly
    tabitha: tabby
    terence: terry
    teresa theresa: tess tessa terry tessie tracy
    thaddeus: thad
    theodora: dora thea theo
    theodore: ted teddy theo
    thomas: tom tommy thos
    timothy: tim timmy
    tobias: toby
    valentine valerie: val
    veronica: ronnie vera
    victor: vic
    victoria: vicky vicki tori queenie
    vincent: vince vinnie
    virginia: ginny ginger
    vladimir: volodya vlad
    walter: walt wat wally
    wilfred wilfrid: wilf fred
    wilhelm: willi willy
    wilhelmina: mina minna minnie billie
    william: will bill billy willie willy wm liam
    winifred: winnie freda
    winston: winnie
    zachary zachariah: zach zack zak
    """
)

#: Words that belong to a last name: "van Dyke", "de la Mare", "Mac Donald".
PARTICLES = _words(
    """van von der den de del della di da do dos das du la le las los el al bin ibn ben zu zur zum
    ter ten te af av mac mc fitz o' d' l' st saint san y e"""
)

#: Words after a last name: "Jr.", "III", "Esq.".
SUFFIXES = _words(
    """jr junior sr senior esq esquire ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi phd md ma
    ba mp qc kc obe mbe cbe kbe dso vc frs dds rn"""
)

#: Words after a company's name that are often left out.
COMPANY_SUFFIXES = _words(
    """inc incorporated ltd limited llc llp lp plc corp corporation co company companies gmbh ag kg
    sa sas sarl spa srl nv bv ab as asa oy oyj kk pty pte holding holdings group bros brothers &
    and sons"""
)


def _peoples(text: str) -> dict[str, str]:
    """Of each adjective and each word for the people, the country; of lines `country: words`."""
    found: dict[str, str] = {}
    for line in text.strip().splitlines():
        country, words = line.strip().split(":")
        for word in words.split():
            found[word] = country
            found[f"{word}s"] = country
    return found


#: Of each adjective or name of a people, and each short form of a country's name, that country.
COUNTRY_OF: dict[str, str] = _peoples(
    """
    afghanistan: afghan afghani
    albania: albanian
    algeria: algerian
    angola: angolan
    argentina: argentine argentinian argentinean
    armenia: armenian
    australia: australian aussie
    austria: austrian
    azerbaijan: azerbaijani azeri
    bahrain: bahraini
    bangladesh: bangladeshi
    belarus: belarusian belarussian
    belgium: belgian
    bolivia: bolivian
    bosnia: bosnian
    botswana: botswanan
    brazil: brazilian
    britain: british briton
    bulgaria: bulgarian
    burma: burmese
    cambodia: cambodian
    cameroon: cameroonian
    canada: canadian
    chile: chilean
    china: chinese
    colombia: colombian
    congo: congolese
    croatia: croatian croat
    cuba: cuban
    cyprus: cypriot
    denmark: danish dane
    ecuador: ecuadorian
    egypt: egyptian
    england: english englishman englishmen englishwoman
    eritrea: eritrean
    estonia: estonian
    ethiopia: ethiopian
    europe: european
    fiji: fijian
    finland: finnish finn
    france: french frenchman frenchmen frenchwoman
    georgia: georgian
    germany: german
    ghana: ghanaian
    greece: greek
    guatemala: guatemalan
    haiti: haitian
    honduras: honduran
    hungary: hungarian
    iceland: icelandic icelander
    india: indian
    indonesia: indonesian
    iran: iranian
    iraq: iraqi
    ireland: irish irishman irishmen
    israel: israeli
    italy: italian
    jamaica: jamaican
    japan: japanese
    jordan: jordanian
    kazakhstan: kazakh kazakhstani
    kenya: kenyan
    korea: korean
    kosovo: kosovar
    kuwait: kuwaiti
    laos: laotian
    latvia: latvian
    lebanon: lebanese
    liberia: liberian
    libya: libyan
    lithuania: lithuanian
    luxembourg: luxembourgish luxembourger
    macedonia: macedonian
    malaysia: malaysian
    mali: malian
    malta: maltese
    mexico: mexican
    moldova: moldovan
    mongolia: mongolian
    montenegro: montenegrin
    morocco: moroccan
    mozambique: mozambican
    nepal: nepalese nepali
    netherlands: dutch dutchman dutchmen
    nicaragua: nicaraguan
    nigeria: nigerian
    norway: norwegian
    pakistan: pakistani
    palestine: palestinian
    panama: panamanian
    paraguay: paraguayan
    peru: peruvian
    philippines: philippine filipino filipina
    poland: polish pole
    portugal: portuguese
    qatar: qatari
    romania: romanian
    russia: russian
    rwanda: rwandan
    samoa: samoan
    scotland: scottish scot scotch scotsman
    senegal: senegalese
    serbia: serbian serb
    singapore: singaporean
    slovakia: slovak slovakian
    slovenia: slovenian slovene
    somalia: somali
    spain: spanish spaniard
    sudan: sudanese
    sweden: swedish swede
    switzerland: swiss
    syria: syrian
    taiwan: taiwanese
    tanzania: tanzanian
    thailand: thai
    tibet: tibetan
    tunisia: tunisian
    turkey: turkish turk
    uganda: ugandan
    ukraine: ukrainian
    uruguay: uruguayan
    uzbekistan: uzbek
    venezuela: venezuelan
    vietnam: vietnamese
    wales: welsh welshman
    yemen: yemeni
    yugoslavia: yugoslav yugoslavian
    zambia: zambian
    zimbabwe: zimbabwean
    africa: african
    asia: asian
    """
)

#: States of the United States and provinces of Canada by their abbreviations.
STATES: dict[str, str] = {
    short: state.replace("_", " ")
    for state, shorts in (
        line.strip().split(":")
        for line in """
    alabama: al ala
    alaska: ak
    arizona: az ariz
    arkansas: ar ark
    california: ca cal calif
    colorado: co colo
    connecticut: ct conn
    delaware: de del
    florida: fl fla
    georgia: ga
    hawaii: hi
    idaho: id
    illinois: il ill
    indiana: in ind
    iowa: ia
    kansas: ks kan kans
    kentucky: ky
    louisiana: la
    maine: me
    maryland: md
    massachusetts: ma mass
    michigan: mi mich
    minnesota: mn minn
    mississippi: ms miss
    missouri: mo
    montana: mt mont
    nebraska: ne neb nebr
    nevada: nv nev
    new_hampshire: nh
    new_jersey: nj
    new_mexico: nm
    new_york: ny
    north_carolina: nc
    north_dakota: nd
    ohio: oh
    oklahoma: ok okla
    oregon: or ore
    pennsylvania: pa penn penna
    rhode_island: ri
    south_carolina: sc
    south_dakota: sd
    tennessee: tn tenn
    texas: tx tex
    utah: ut
    vermont: vt
    virginia: va
    washington: wa wash
    west_virginia: wv
    wisconsin: wi wis
    wyoming: wy
    district_of_columbia: dc
    ontario: on ont
    quebec: qc que
    british_columbia: bc
    alberta: ab alta
    manitoba: mb man
    nova_scotia: ns
    """.strip().splitlines()
    )
    for short in shorts.split()
}
