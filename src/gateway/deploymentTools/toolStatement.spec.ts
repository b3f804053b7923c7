import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readStatement } from '#domain/query/statementText.ts'
import { statementProblem } from './toolStatement.ts'

const problem = (statement: string) => statementProblem(readStatement(statement).select)

test.each([
  'SELECT 1',
  "SELECT ServiceName, count() AS n FROM otel_logs WHERE Body LIKE '%url(%' GROUP BY ServiceName ORDER BY n DESC LIMIT 10;",
  'WITH top AS (SELECT ServiceName FROM otel_logs) SELECT * FROM top, otel_traces AS t WHERE t.ServiceName = top.ServiceName',
  "SELECT * FROM a JOIN b ON lower(a.x) = lower(b.x) WHERE x IN ('a', 'b') AND y NOT IN (SELECT y FROM c)",
  'SELECT arr, x FROM t ARRAY JOIN mapKeys(m) AS arr, mapValues(m) AS v',
  'SELECT name FROM system.functions -- FROM url(1)\n WHERE 1',
  'SELECT toStartOfInterval(Timestamp, INTERVAL 5 MINUTE) AS t, quantile(0.9)(Duration) FROM default.`otel_traces` GROUP BY t',
  "SELECT format('{}', Body), t.settings FROM otel_logs AS t",
  'EXPLAIN indexes = 1 SELECT count() FROM otel_logs',
  "SELECT count() FROM otel_logs WHERE match(Body, '^costs \\\\$5$|a$)')",
  'SELECT arrayDistinct(file), arrayMap(file -> lower(file), f.file), arrayMap(lower, x) FROM f',
  "SELECT Body || 'x' FROM otel_logs",
  "SELECT LogAttributes['a'] AS a, if(a = '', 'x', a) ? 1 : 2 FROM otel_logs",
])('is sent: %s', (statement) => {
  expect(problem(statement)).toBeNull()
})

test.each([
  ['INSERT INTO t VALUES (1)', /only SELECT/],
  ['', /only SELECT/],
  ['(DROP TABLE t)', /only SELECT/],
  ['SELECT 1; DROP TABLE t', /";" is not allowed \(at 9\)/],
  ["SELECT * FROM url('http://169.254.169.254/')", /function url is not allowed \(at 15\)/],
  ["SELECT * FROM `url` ('http://a/')", /function url/],
  ['SELECT * FROM\n  uRl\n(1)', /function uRl/],
  ["SELECT * FROM otel_logs, s3Cluster('c', 'x')", /s3Cluster/],
  ["SELECT * FROM a JOIN b ON a.x = b.x, newThing('x')", /table function newThing/],
  ["SELECT * FROM newThing('x')", /table function newThing/],
  ['SELECT * FROM (SELECT * FROM some.thing(1))', /table function thing/],
  ["SELECT file('/etc/passwd')", /function file/],
  ["SELECT 1 WHERE 1 IN (SELECT * FROM remote('h', 'd.t'))", /function remote/],
  ["SELECT arrayMap(file, ['/etc/passwd'])", /function file/],
  ["SELECT arrayMap(toString | file, ['/etc/passwd'])", /"\|" is not allowed/],
  ["SELECT hasColumnInTable('host:9000', 'user', 'password', 'd', 't', 'c')", /function hasColumnInTable/],
  ["SELECT arrayMap((`file`) AS f, ['/etc/passwd'])", /function file/],
  ["SELECT arraySort(FILE AS f, ['/etc/passwd'])", /function FILE/],
  ["SELECT * APPLY(file) FROM (SELECT '/etc/passwd' AS path)", /function file/],
  ["SELECT * APPLY file FROM (SELECT '/etc/passwd' AS path)", /function file/],
  ["SELECT dictGet('d', 'a', 1)", /dictGet/],
  ["SELECT joinGet('d', 'a', 1)", /joinGet/],
  ["SELECT * FROM merge('system', '.*')", /merge/],
  ['SELECT * FROM system.users', /table system\.users/],
  ['SELECT * FROM `system` . "query_log"', /system\.query_log/],
  ['SELECT * FROM INFORMATION_SCHEMA.TABLES', /INFORMATION_SCHEMA\.TABLES/],
  ['SELECT 1 IN system.users', /system\.users|IN needs/],
  ['SELECT name IN users FROM t', /IN needs/],
  ['SELECT 1 SETTINGS readonly = 0', /SETTINGS/],
  ['SELECT 1 FORMAT Native', /FORMAT/],
  ["SELECT 1 INTO OUTFILE '/tmp/x'", /INTO/],
  ['SELECT 1) UNION ALL (SELECT 2', /no opening bracket/],
  ['SELECT (1', /not closed/],
  ["SELECT 'a", /quote is not closed/],
  ['SELECT `a\\`url` FROM t', /escape/],
  ['SELECT $__timeFilter(a) FROM t', /"\$"/],
  [`SELECT '$__timeFilter("')", ', hostName() AS "`, /"\$__timeFilter" is not allowed, not even in quotes \(at 8\)/],
  ['SELECT `$__filters` FROM t', /\$__filters/],
  ["SELECT 'a${b}'", /"\$\{"/],
  ['SELECT {a:String}', /"\{"/],
  ['SELECT $$url$$', /"\$"/],
  ['SELECT * FROM\u00a0url(1)', /is not allowed/],
  ['SELECT 1 /* not ended', null],
  ['SELECT /* FROM url( */ 1 FROM t, mysql/**/(1)', /mysql/],
])('is not sent: %s', (statement, reason) => {
  if (reason === null) expect(problem(statement)).toBeNull()
  else expect(problem(statement)).toMatch(reason)
})

test('a table function is found wherever tables are named, whatever is around it', () => {
  const name = fc.constantFrom('a', 'b.c', '`x y`', '(SELECT 1 FROM t)')
  const space = fc.constantFrom(' ', '\n', ' /* from */ ', ' -- x\n ')
  const call = fc.constantFrom('zeros(1)', 'q.f (1)', '"f"(1)', "s3('x')", 'Fn\n(x, y)')
  const tables = fc.tuple(fc.array(name, { maxLength: 3 }), call, fc.array(name, { maxLength: 3 }))
  const joined = fc.constantFrom(', ', ' JOIN ', ' LEFT JOIN ', ' CROSS JOIN ')
  fc.assert(
    fc.property(tables, joined, space, ([before, called, after], separator, gap) => {
      const list = (items: string[]) => `SELECT *${gap}FROM${gap}${items.join(separator)}${gap}WHERE f(1), g(2)`
      expect(problem(list([...before, called, ...after]))).not.toBeNull()
      const others = [...before, ...after]
      if (others.length > 0) expect(problem(list(others))).toBeNull()
    }),
  )
})
