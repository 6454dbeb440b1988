"""The SQL of the engines, step by step; `sql.py` runs it.

It uses only SQL that DuckDB and Spark interpret in the same way; integers are BIGINT.
"""

from __future__ import annotations

# A row with only a document states that the document has no mentions.
ROWS = """
SELECT count(*) AS every, count(*) - count(document) AS no_document,
  coalesce(sum(CASE WHEN {first} IS NULL AND {last} IS NULL AND entity IS NULL THEN 1 END), 0)
    AS alone,
  coalesce(sum(CASE WHEN {first} IS NULL OR {last} IS NULL THEN 1 END), 0) AS no_mention,
  count(*) - count(entity) AS no_entity, {turned} AS turned
FROM sameas_{role}
"""

NAMED = """
SELECT document,
  CASE WHEN count(in_key) > 0 THEN 1 ELSE 0 END AS in_key,
  CASE WHEN count(in_response) > 0 THEN 1 ELSE 0 END AS in_response,
  CAST(coalesce(sum(in_key), 0) AS BIGINT) AS key_mentions,
  CAST(coalesce(sum(in_response), 0) AS BIGINT) AS response_mentions,
  count(in_key) AS key_rows, count(in_response) AS response_rows
FROM (
  SELECT document, CASE WHEN entity IS NULL THEN 0 ELSE 1 END AS in_key, NULL AS in_response
  FROM sameas_key
  UNION ALL
  SELECT document, NULL, CASE WHEN entity IS NULL THEN 0 ELSE 1 END FROM sameas_response
) AS sides
GROUP BY document
"""

NAMED_COUNTS = """
SELECT sum(in_key) AS of_key, sum(in_response) AS of_response, sum(in_key * in_response) AS of_both,
  sum(CASE WHEN key_rows > 1 THEN key_rows - key_mentions ELSE 0 END) AS key_empty,
  sum(CASE WHEN response_rows > 1 THEN response_rows - response_mentions ELSE 0 END)
    AS response_empty,
  sum(CASE WHEN {silent} THEN 1 ELSE 0 END) AS silent
FROM sameas_named
"""

SILENT = "key_mentions > 0 AND in_response = 1 AND response_mentions = 0"

SOME_NAMES = """
SELECT CAST(document AS STRING) AS name FROM sameas_named WHERE {where} ORDER BY document LIMIT 4
"""

DOCUMENTS = """
SELECT document, row_number() OVER (ORDER BY document) - 1 AS number
FROM sameas_named WHERE {kept}
"""

DOCUMENT_NAMES = """
SELECT CAST(document AS STRING) AS name FROM sameas_documents ORDER BY number
"""

CELLS = """
SELECT document, i, j, count(*) AS n,
  CAST(sum(key_rows) AS BIGINT) AS key_rows, CAST(sum(response_rows) AS BIGINT) AS response_rows
FROM (
  SELECT {scope} AS document, min(i) AS i, min(j) AS j,
    count(i) AS key_rows, count(j) AS response_rows
  FROM (
    SELECT number, {mention}, entity AS i, NULL AS j
    FROM sameas_key JOIN sameas_documents USING (document) WHERE entity IS NOT NULL
    UNION ALL
    SELECT number, {mention}, NULL, entity
    FROM sameas_response JOIN sameas_documents USING (document) WHERE entity IS NOT NULL
  ) AS sides
  GROUP BY number, {mention}
) AS mentions
GROUP BY document, i, j
"""

AGAIN = """
SELECT coalesce(sum(CASE WHEN i IS NULL THEN 0 ELSE key_rows - n END), 0) AS of_key,
  coalesce(sum(CASE WHEN j IS NULL THEN 0 ELSE response_rows - n END), 0) AS of_response
FROM sameas_cells
"""

REPEATED = """
SELECT CAST(document AS STRING) AS name, {mention},
  CAST(min(entity) AS STRING) AS one, CAST(max(entity) AS STRING) AS other
FROM sameas_{role} JOIN sameas_documents USING (document) WHERE entity IS NOT NULL
GROUP BY document, {mention}
HAVING count(*) > 1 {having}
ORDER BY document, {mention} LIMIT 5
"""

ENTITIES = """
SELECT document, {here}, CAST(sum(n) AS BIGINT) AS {size},
  CAST(sum(CASE WHEN {there} IS NULL THEN 0 ELSE n END) AS BIGINT) AS {size}_shared,
  count({there}) AS {size}_cells
FROM sameas_cells WHERE {here} IS NOT NULL
GROUP BY document, {here}
"""

RECORDS = """
SELECT (SELECT CAST(coalesce(sum(k), 0) AS BIGINT) FROM sameas_key_entities) AS of_key,
  CAST(coalesce(sum(r), 0) AS BIGINT) AS of_response,
  CAST(coalesce(sum(r_shared), 0) AS BIGINT) AS shared
FROM sameas_response_entities
"""

SINGLETONS = """
SELECT (SELECT count(*) FROM sameas_key_entities WHERE k = 1) AS of_key,
  (SELECT count(*) FROM sameas_response_entities WHERE r = 1) AS of_response
"""

WITHOUT_SINGLETONS = """
SELECT document, i, j, CAST(sum(n) AS BIGINT) AS n
FROM (
  SELECT document, CASE WHEN k > 1 THEN i END AS i, CASE WHEN r > 1 THEN j END AS j, n
  FROM sameas_cells
  LEFT JOIN sameas_key_entities USING (document, i)
  LEFT JOIN sameas_response_entities USING (document, j)
) AS cells
WHERE i IS NOT NULL OR j IS NOT NULL
GROUP BY document, i, j
"""

# Every entity of a cell exists, so inner joins would give the same rows. But an optimiser may
# reorder inner joins and join key and response entities first, on the document only.
GRAPH = """
SELECT document, i, j, n, k, r, r_shared, k_cells, r_cells
FROM sameas_cells
LEFT JOIN sameas_key_entities USING (document, i)
LEFT JOIN sameas_response_entities USING (document, j)
WHERE i IS NOT NULL AND j IS NOT NULL
"""

# The columns of tallies have the names of the fields of `Table`.
SIDE_TALLY = """
SELECT document AS {size}_document, {size}, {size}_shared, count(*) AS {size}_times
FROM sameas_{role}_entities GROUP BY document, {size}, {size}_shared
"""

CELL_TALLY = """
SELECT document AS cell_document, n, k AS cell_k, r AS cell_r, r_shared AS cell_r_shared,
  count(*) AS n_times
FROM (SELECT document, n, k, r, {shared} AS r_shared FROM sameas_graph) AS cells
GROUP BY document, n, k, r, r_shared
"""

TALLY_SIZES = """
SELECT cell_document AS document, count(*) AS n FROM sameas_cell_tally GROUP BY cell_document
"""

# 0: single cell; 1: star around a key entity; 2: star around a response entity; 3: anything else
SHAPES = """
SELECT document, i, j, n, k, r, CASE
  WHEN k_cells = 1 AND r_cells = 1 THEN 0
  WHEN of_row = 1 THEN 1 WHEN of_column = 1 THEN 2 ELSE 3 END AS shape
FROM sameas_graph
LEFT JOIN (
  SELECT document, i, max(r_cells) AS of_row FROM sameas_graph GROUP BY document, i
) AS in_rows USING (document, i)
LEFT JOIN (
  SELECT document, j, max(k_cells) AS of_column FROM sameas_graph GROUP BY document, j
) AS in_columns USING (document, j)
"""

ENTITY_COUNTS = """
SELECT (SELECT count(*) FROM sameas_key_entities) AS of_key,
  (SELECT count(*) FROM sameas_response_entities) AS of_response
"""

LARGEST_DOCUMENT = """
SELECT coalesce(max(n), 0) AS largest_document
FROM (SELECT CAST(sum(k * k_times) AS BIGINT) AS n FROM sameas_k_tally GROUP BY k_document) AS sizes
"""

SHAPE_COUNTS = """
SELECT count(*) AS cells, coalesce(sum(CASE WHEN shape = 0 THEN 1 END), 0) AS alone,
  (SELECT count(*)
   FROM (SELECT DISTINCT document, i FROM sameas_shapes WHERE shape = 1) AS key_stars) +
  (SELECT count(*)
   FROM (SELECT DISTINCT document, j FROM sameas_shapes WHERE shape = 2) AS response_stars)
    AS stars,
  coalesce(sum(CASE WHEN shape IN (1, 2) THEN 1 END), 0) AS star_cells
FROM sameas_shapes
"""

# Vertices are hashes. If two hashes collide, two components are solved as one, which is also
# correct.
EDGES = """
SELECT xxhash64(document, 'i', i) AS a, xxhash64(document, 'j', j) AS b
FROM sameas_shapes WHERE {rest}
"""

REST = """
SELECT document, component,
  dense_rank() OVER (PARTITION BY component ORDER BY document, i) AS i,
  dense_rank() OVER (PARTITION BY component ORDER BY document, j) AS j, n, k, r
FROM (
  SELECT document, i, j, n, k, r, xxhash64(document, 'i', i) AS vertex
  FROM sameas_shapes WHERE {rest}
) AS cells JOIN sameas_components USING (vertex)
"""

COMPONENT_COUNTS = """
SELECT count(*) AS components, coalesce(sum(cells), 0) AS component_cells,
  coalesce(max(cells), 0) AS largest_component
FROM (SELECT count(*) AS cells FROM sameas_rest GROUP BY component) AS sizes
"""

BATCHES = """
SELECT document, component, i, j, n, k, r FROM sameas_rest
"""

#: The parts of the sums from stars and single cells, keyed by the name of the sum.
STARS = {
    "ceafm": """
SELECT document, CAST(sum(best) AS BIGINT) AS numerator, 1 AS denominator
FROM (
  SELECT document, max(n) AS best FROM sameas_shapes WHERE shape < 3
  GROUP BY document, shape, CASE WHEN shape < 2 THEN i END, CASE WHEN shape = 2 THEN j END
) AS stars
GROUP BY document
""",
    "ceafe": """
SELECT document, CAST(sum(2 * n) AS BIGINT) AS numerator, k + r AS denominator
FROM (
  SELECT document, n, k, r, row_number() OVER (
    PARTITION BY document, shape, CASE WHEN shape = 1 THEN i END, CASE WHEN shape = 2 THEN j END
    ORDER BY 2e0 * n / (k + r) DESC, n DESC, k + r) AS place
  FROM sameas_shapes WHERE shape IN (1, 2)
  UNION ALL
  SELECT document, n, k, r, 1 FROM sameas_shapes WHERE shape = 0
) AS cells
WHERE place = 1
GROUP BY document, k + r
""",
    "ceaf2": """
SELECT document, count(*) AS numerator, 1 AS denominator
FROM (
  SELECT document FROM sameas_shapes WHERE shape < 3
  GROUP BY document, shape, CASE WHEN shape < 2 THEN i END, CASE WHEN shape = 2 THEN j END
) AS stars
GROUP BY document
""",
}

#: The parts of entities that share nothing with the other side; all others are in components.
SYS = {
    "ceaf_sys_recall": """
SELECT document, count(*) AS numerator, 1 AS denominator
FROM sameas_key_entities WHERE k_shared = 0 GROUP BY document
""",
    "ceaf_sys_precision": """
SELECT document, count(*) AS numerator, 1 AS denominator
FROM (
  SELECT document FROM sameas_key_entities WHERE k_shared = 0
  UNION ALL SELECT document FROM sameas_response_entities WHERE r_shared = 0 AND r > 1
) AS entities
GROUP BY document
""",
}
