/** Statements that people write, on a real engine: what they may read, what is refused, and their limits. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql as contract } from '#contract/stack/sql.ts'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'
import type { Engine } from '../engine/engine.ts'
import { EngineAborted } from '../engine/engineError.ts'
import { readableDatabases, SourceTableError, type ReadableDatabases } from '../readableTables.ts'
import { scheduleQueries } from '../scheduling/querySchedule.ts'
import { tables } from '../tables.ts'
import { runStatement, StatementError } from './runStatement.ts'
import { listTables } from './tableList.ts'

let engine: Engine

beforeAll(async () => {
  engine = await temporaryEngine({ maxMemory: 1024 ** 3 })
  const at = (second: number) => `178000000${second}.000000000`
  await engine.insert(tables.logs, [
    { Timestamp: at(1), ServiceName: 'checkout', Body: 'paid -- /* not a comment */' },
    { Timestamp: at(2), ServiceName: 'cart', Body: 'added' },
  ])
  for (const database of ['service_a', 'service_a_sales', 'private']) {
    await engine.command(`CREATE DATABASE ${database}`)
    await engine.command(`CREATE TABLE ${database}.orders (id UInt64, note String) ENGINE = MergeTree ORDER BY id`)
    await engine.command(`INSERT INTO ${database}.orders VALUES (1, 'of ${database}')`)
  }
  await engine.command(`CREATE TABLE service_a.elsewhere (id UInt64) ENGINE = URL('http://127.0.0.1:1/', 'CSV')`)
  await engine.command(`CREATE TABLE service_a.joined (id UInt64, note String) ENGINE = Join(ANY, LEFT, id)`)
  await engine.command(`CREATE TABLE elsewhere (id UInt64) ENGINE = URL('http://127.0.0.1:1/', 'CSV')`)
})
afterAll(async () => {
  for (const database of ['service_a', 'service_a_sales', 'private']) await engine.command(`DROP DATABASE ${database}`)
  await engine.command('DROP TABLE elsewhere')
  await engine.close()
})

const databases = () => readableDatabases({ engine, services: ['service_a'], named: [] })
const never = new AbortController().signal

function run(statement: string, { maxRows, signal = never, over = engine }: Partial<Options> = {}) {
  return runStatement(over, { statement, ...(maxRows !== undefined && { maxRows }) }, databases(), signal)
}
interface Options {
  maxRows: number
  signal: AbortSignal
  over: Engine
}

const rowsOf = async (statement: string) => (await run(statement)).rows

describe('what is read', () => {
  test('the tables of telemetry and of services, joined', async () => {
    expect(await rowsOf('SELECT ServiceName FROM otel_logs ORDER BY Timestamp')).toEqual([['checkout'], ['cart']])
    expect(
      await rowsOf(
        'SELECT o.note, s.note FROM service_a.orders AS o JOIN `service_a_sales`.orders AS s ON o.id = s.id',
      ),
    ).toEqual([['of service_a', 'of service_a_sales']])
    expect(await rowsOf(`SELECT count() FROM ${engine.kind === 'embedded' ? 'default.' : ''}otel_logs`)).toEqual([
      ['2'],
    ])
  })

  test('by the documented name of their database, whatever quotes are around it', async () => {
    const database = engine.kind === 'embedded' ? 'default' : engine.database
    for (const named of [`${database}.`, `${database} . `, `\`${database}\`.`, `"${database}".`]) {
      const statement = `SELECT count() FROM (SELECT 1 AS \`a'\`) AS x, ${named}otel_logs, (SELECT 1 AS \`b'\`, 'default.' AS c) AS y`
      expect(await rowsOf(statement), statement).toEqual([['2']])
    }
  })

  test('with CTEs, subqueries, UNION, arrays and lambdas', async () => {
    expect(
      await rowsOf(`WITH named AS (SELECT ServiceName AS name FROM otel_logs) SELECT name FROM named
        WHERE name IN (SELECT ServiceName FROM otel_logs) UNION ALL SELECT arrayJoin(arrayMap(x -> toString(x), range(2)))`),
    ).toEqual(expect.arrayContaining([['cart'], ['checkout'], ['0'], ['1']]))
  })

  test('with functions that are passed by name, and columns of such names', async () => {
    expect(
      await rowsOf(`WITH x -> x + 1 AS next SELECT arrayMap(lower, ['A']), arrayMap(next, [1]), arrayDistinct(file), concat(sleep, 'b')
        FROM (SELECT [2] AS file, 'a' AS sleep)`),
    ).toEqual([[['a'], [2], [2], 'ab']])
  })

  test('with comments and a semicolon, which stay text inside of quotes', async () => {
    expect(await rowsOf("-- of\nSELECT Body /* its 'text */ FROM otel_logs WHERE Body LIKE '%-- /* not%'; ")).toEqual([
      ['paid -- /* not a comment */'],
    ])
  })

  test('values keep their digits and their kind', async () => {
    const result = await run(
      "SELECT toUInt64(18446744073709551615) AS big, NULL AS nothing, nan AS none, toDecimal128('1.10', 2) AS money, map('a', 1) AS pairs, 1, 1",
    )
    expect(contract.run.result.parse(result)).toEqual(result)
    expect(result.rows).toEqual([['18446744073709551615', null, 'nan', '1.1', { a: 1 }, 1, 1]])
    expect(result.columns.map(({ type }) => type).slice(0, 3)).toEqual(['UInt64', 'Nullable(Nothing)', 'Float64'])
  })

  test('at most as many rows as were asked for, and how much was read', async () => {
    const result = await run('SELECT number FROM system.numbers', { maxRows: 3 })
    expect(result).toMatchObject({ rows: [['0'], ['1'], ['2']], isTruncated: true })
    expect(await run('SELECT Body FROM otel_logs', { maxRows: 2 })).toMatchObject({ isTruncated: false, rowsRead: 2 })
  })

  test.each([
    ['EXPLAIN SELECT count() FROM otel_logs', /Aggregating|otel_logs|Output/],
    ["explain indexes = 1 SELECT Body FROM otel_logs WHERE ServiceName = 'x'", /ServiceName/],
  ])('%s', async (statement, shown) => {
    expect(JSON.stringify(await rowsOf(statement))).toMatch(shown)
  })

  test('EXPLAIN ESTIMATE tells the rows of each table', async () => {
    const { columns, rows } = await run('EXPLAIN ESTIMATE SELECT Body FROM otel_logs')
    expect(Object.fromEntries(columns.map(({ name }, at) => [name, rows[0]?.[at]]))).toMatchObject({
      table: 'otel_logs',
      rows: '2',
    })
  })

  test('the list of tables has those that can be read, with columns and sizes', async () => {
    const list = await listTables(engine, databases(), never)
    expect(contract.tables.result.parse(list)).toEqual(list)
    const names = list.map(({ database, name }) => `${database}.${name}`)
    expect(names).toContain('service_a.orders')
    expect(names.filter((name) => /^(private|system)|elsewhere|joined/.test(name))).toEqual([])
    expect(list.find(({ name }) => name === tables.logs)).toMatchObject({
      database: engine.kind === 'embedded' ? 'default' : engine.database,
      rows: 2,
      bytes: expect.any(Number),
      sortingKey: expect.stringContaining('ServiceName'),
      columns: expect.arrayContaining([expect.objectContaining({ name: 'Body', type: 'String' })]),
    })
    for (const { database, name } of list) await run(`SELECT * FROM \`${database}\`.\`${name}\` LIMIT 1`)
  })
})

/** Calls that would read what is not a table, and names of tables that nobody may read. */
const hostileTables = [
  `url('http://127.0.0.1:1/', 'CSV', 'a String')`,
  `urlCluster('c', 'http://127.0.0.1:1/', 'CSV', 'a String')`,
  `file('/etc/passwd', 'LineAsString')`,
  `fileCluster('c', '/etc/passwd', 'LineAsString')`,
  `s3('http://127.0.0.1:1/b/k', 'CSV')`,
  `s3Cluster('c', 'http://127.0.0.1:1/b/k', 'CSV')`,
  `gcs('http://127.0.0.1:1/b/k', 'CSV')`,
  `hdfs('hdfs://127.0.0.1:1/k', 'CSV', 'a String')`,
  `azureBlobStorage('c', 'k', 'b')`,
  `iceberg('http://127.0.0.1:1/b')`,
  `deltaLake('http://127.0.0.1:1/b')`,
  `hudi('http://127.0.0.1:1/b')`,
  `remote('127.0.0.1:1', system.one)`,
  `remoteSecure('127.0.0.1:1', system.one)`,
  `cluster('default', system.one)`,
  `clusterAllReplicas('default', system.one)`,
  `merge('system', '.*')`,
  `merge(REGEXP('.*'), '.*')`,
  `loop(system.one)`,
  `executable('x', 'CSV', 'a String')`,
  `jdbc('x', 'y')`,
  `odbc('x', 'y', 'z')`,
  `mysql('127.0.0.1:1', 'd', 't', 'u', 'p')`,
  `postgresql('127.0.0.1:1', 'd', 't', 'u', 'p')`,
  `mongodb('127.0.0.1:1', 'd', 't', 'u', 'p', 'a String')`,
  `redis('127.0.0.1:1', 'k', 'k String')`,
  `sqlite('/etc/passwd', 't')`,
  `dictionary('d')`,
  `view(SELECT 1)`,
  `viewIfPermitted(SELECT 1 ELSE null('a String'))`,
  `input('a String')`,
  `values('a String', 'x')`,
  `format(CSV, 'a')`,
  `null('a String')`,
  `generateRandom('a String')`,
  `numbers(1000000000000)`,
  `zeros(10)`,
  `generate_series(1, 10)`,
  `mergeTreeIndex('telemetry', 'otel_logs')`,
  `python('x')`,
  `FILE('/etc/passwd')`,
  "`file`('/etc/passwd')",
  '"url"(\'http://127.0.0.1:1/\')',
  'system.users',
  'system.tables',
  'system.processes',
  'system.query_log',
  '`system`.`tables`',
  '"system"."tables"',
  'SYSTEM.tables',
  'information_schema.tables',
  'INFORMATION_SCHEMA.TABLES',
  'private.orders',
  '`private`.`orders`',
  '`private.orders`',
  'service_b.orders',
  'elsewhere',
  'service_a.elsewhere',
  'service_a.joined',
  '`/etc/passwd`',
  '`..`.`x`',
  'ｏtel_logs',
  'otel_logs​',
]

/** Places of a table in a statement. */
const places: ((table: string) => string)[] = [
  (table) => `SELECT * FROM ${table}`,
  (table) => `SELECT * FROM ${table} AS t`,
  (table) => `SELECT * FROM ${table} FINAL`,
  (table) => `SELECT * FROM otel_logs AS l JOIN ${table} AS r ON 1 = 1`,
  (table) => `SELECT * FROM otel_logs AS l, ${table} AS r`,
  (table) => `SELECT * FROM otel_logs AS l GLOBAL ANY LEFT JOIN ${table} AS r USING (Body)`,
  (table) => `SELECT Body FROM otel_logs WHERE Body IN (SELECT * FROM ${table})`,
  (table) => `SELECT Body FROM otel_logs WHERE Body IN ${table}`,
  (table) => `SELECT Body FROM otel_logs WHERE Body GLOBAL NOT IN ${table}`,
  (table) => `SELECT in(Body, ${table}) FROM otel_logs`,
  (table) => `SELECT (SELECT * FROM ${table} LIMIT 1)`,
  (table) => `SELECT EXISTS (SELECT * FROM ${table})`,
  (table) => `WITH t AS (SELECT * FROM ${table}) SELECT * FROM t`,
  (table) => `WITH (SELECT * FROM ${table}) AS t SELECT t`,
  (table) => `WITH RECURSIVE t AS (SELECT 1 UNION ALL SELECT * FROM ${table}) SELECT * FROM t`,
  (table) => `SELECT 1 UNION ALL SELECT * FROM ${table}`,
  (table) => `(SELECT 1) UNION DISTINCT (SELECT * FROM ${table})`,
  (table) => `SELECT 1 EXCEPT SELECT * FROM ${table}`,
  (table) => `SELECT 1 INTERSECT SELECT * FROM ${table}`,
  (table) => `SELECT * FROM (SELECT * FROM ${table})`,
  (table) => `SELECT arrayJoin([1]) FROM ${table} ARRAY JOIN [1] AS a`,
  (table) => `SELECT Body FROM otel_logs ARRAY JOIN (SELECT groupArray(1) FROM ${table}) AS a`,
  (table) => `SELECT Body FROM otel_logs ORDER BY (SELECT count() FROM ${table})`,
  (table) => `SELECT Body FROM otel_logs LIMIT (SELECT count() FROM ${table})`,
  (table) => `SELECT Body FROM otel_logs LIMIT 1 BY (SELECT count() FROM ${table})`,
  (table) => `SELECT count() FROM otel_logs GROUP BY (SELECT count() FROM ${table})`,
  (table) => `SELECT count() FROM otel_logs HAVING (SELECT count() FROM ${table}) > 0`,
  (table) => `SELECT Body FROM otel_logs PREWHERE (SELECT count() FROM ${table}) > 0`,
  (table) => `SELECT Body FROM otel_logs SAMPLE 1 / (SELECT count() FROM ${table})`,
  (table) => `SELECT arrayMap(x -> (SELECT count() FROM ${table}), [1])`,
  (table) => `SELECT if(1, (SELECT count() FROM ${table}), 0)`,
  (table) => `SELECT count(*) FILTER (WHERE 1 IN (SELECT 1 FROM ${table})) FROM otel_logs`,
  (table) => `SELECT sum(1) OVER (PARTITION BY (SELECT count() FROM ${table})) FROM otel_logs`,
  (table) => `SELECT quantile((SELECT count() FROM ${table}))(1)`,
  (table) => `FROM ${table} SELECT *`,
  (table) => `EXPLAIN SELECT * FROM ${table}`,
  (table) => `EXPLAIN ESTIMATE SELECT * FROM ${table}`,
  (table) => `SELECT * FROM (EXPLAIN SELECT * FROM ${table})`,
  (table) => `SELECT '${'${table} AS (SELECT'}' AS x, * FROM ${table}`,
]

/** Statements in which a name may be that of a subquery or of a table. */
const shadowed = [
  "SELECT 'elsewhere AS (SELECT' AS x, * FROM elsewhere",
  'SELECT 1 AS `elsewhere AS (SELECT` FROM elsewhere',
  'SELECT * FROM (WITH elsewhere AS (SELECT 1 AS id) SELECT * FROM elsewhere) AS a, elsewhere AS b',
  'SELECT id FROM elsewhere UNION ALL SELECT id FROM (WITH elsewhere AS (SELECT 1 AS id) SELECT id FROM elsewhere)',
]

/** Other ways to write the same. */
const disguises: ((statement: string) => string)[] = [
  (statement) => statement,
  (statement) => statement.toLowerCase(),
  (statement) => statement.toUpperCase(),
  (statement) => statement.replaceAll(' ', '\n\t'),
  (statement) => statement.replaceAll(' ', ' /* x */ '),
  (statement) => statement.replaceAll(' ', ' -- x\n '),
  (statement) => `${statement};`,
  (statement) => `${statement} -- `,
  (statement) => `((${statement}))`,
  (statement) => `/* ' */ ${statement} /* ' */`,
]

describe('what reaches beyond readable tables is refused', () => {
  test.each(hostileTables)('%s', async (table) => {
    for (const place of places) {
      await expect(run(place(table)), place(table)).rejects.toBeInstanceOf(StatementError)
    }
  })

  test.each(shadowed)('%s', async (statement) => {
    await expect(run(statement)).rejects.toThrow(/no table "elsewhere"/)
  })

  test('in every form', async () => {
    const pick = <T>(list: readonly T[]) => fc.constantFrom(...list)
    await fc.assert(
      fc.asyncProperty(
        pick(hostileTables),
        pick(places),
        pick(disguises),
        pick(disguises),
        async (table, place, a, b) => {
          await expect(run(b(a(place(table))))).rejects.toBeInstanceOf(StatementError)
        },
      ),
      { numRuns: 600 },
    )
  })

  test.each([
    ['INSERT INTO otel_logs (Body) SELECT 1', /only SELECT is allowed/],
    ['CREATE TABLE x (a String) ENGINE = Memory', /only SELECT is allowed/],
    ['DROP TABLE otel_logs', /only SELECT is allowed/],
    ['ALTER TABLE otel_logs DELETE WHERE 1', /only SELECT is allowed/],
    ['SYSTEM SHUTDOWN', /only SELECT is allowed/],
    ['SET readonly = 0', /only SELECT is allowed/],
    ['SHOW TABLES', /only SELECT is allowed/],
    ['DESCRIBE otel_logs', /only SELECT is allowed/],
    ['KILL QUERY WHERE 1', /only SELECT is allowed/],
    ['USE system', /only SELECT is allowed/],
    ['GRANT ALL ON *.* TO default', /only SELECT is allowed/],
    ["BACKUP TABLE otel_logs TO File('x')", /only SELECT is allowed/],
    ['SELECT 1; SELECT 2', /";" at 9/],
    ['SELECT 1; DROP TABLE otel_logs', /";"/],
    ['SELECT 1) UNION ALL (SELECT 2', /no opening bracket/],
    ['SELECT 1)) SETTINGS readonly = 0, max_threads = 1 --', /no opening bracket/],
    ['SELECT 1 SETTINGS readonly = 0', /SETTINGS is not allowed/],
    ['SELECT 1 SETTINGS max_execution_time = 0', /SETTINGS is not allowed/],
    ['SELECT * FROM (SELECT 1 SETTINGS max_memory_usage = 0)', /SETTINGS is not allowed/],
    ['SELECT 1 FORMAT JSON', /FORMAT/],
    ["SELECT 1 INTO OUTFILE '/tmp/x'", /OUTFILE/],
    ["SELECT 1 INTO OUTFILE '/tmp/x' FORMAT CSV", /OUTFILE/],
    ["SELECT file('/etc/passwd')", /function file is not allowed/],
    ["SELECT arrayMap(file, ['/etc/passwd'])", /function file is not allowed/],
    ["SELECT arrayMap((`file`) AS f, ['/etc/passwd'])", /function file is not allowed/],
    ["SELECT arraySort(file, ['/etc/passwd'])", /function file is not allowed/],
    ["SELECT arrayMap(x -> arrayMap(file, [x]), ['/etc/passwd'])", /function file is not allowed/],
    ["WITH file AS f SELECT arrayMap(f, ['/etc/passwd'])", /column|identifier/],
    ['SELECT arrayMap(sleepEachRow, [3])', /function sleepEachRow is not allowed/],
    ['SELECT arrayMap(range, [100000000])', /range inside a lambda is not allowed/],
    ["SELECT dictGet('a', 'b', 1)", /function dictGet is not allowed/],
    ["SELECT joinGet('service_a.joined', 'note', 1)", /function joinGet is not allowed/],
    ["SELECT getSetting('max_threads')", /function getSetting is not allowed/],
    ["SELECT getMacro('x')", /function getMacro is not allowed/],
    ['SELECT hostName()', /function hostName is not allowed/],
    ['SELECT currentUser()', /function currentUser is not allowed/],
    ['SELECT sleep(3)', /function sleep is not allowed/],
    ['SELECT sleepEachRow(3) FROM otel_logs', /function sleepEachRow is not allowed/],
    ["SELECT throwIf(1, 'x')", /function throwIf is not allowed/],
    ['SELECT addressToLine(1)', /function addressToLine is not allowed/],
    ["SELECT catboostEvaluate('/etc/passwd', 1)", /function catboostEvaluate is not allowed/],
    ['SELECT * FROM otel_logs WHERE Body = {x:String}', /"{" at/],
    ['SELECT $$x$$', /"\$" at/],
    ['SELECT @@version', /"@" at/],
    ["SELECT 'x", /quote at 8 is not closed/],
    ['SELECT 1 /* ; */ */', /cannot be read|too early/],
    ['SELECT 1 # x', /"#" at/],
    ['EXPLAIN AST SELECT 1', /EXPLAIN/],
    ['EXPLAIN SYNTAX SELECT 1', /EXPLAIN/],
    ['EXPLAIN EXPLAIN SELECT 1', /EXPLAIN/],
    ['EXPLAIN TABLE OVERRIDE x', /EXPLAIN/],
    ['', /empty/],
    [' ; ', /empty/],
    ['SELECT repeat(repeat(repeat(Body, 1000), 1000), 1000) FROM otel_logs', /too long/],
    ['SELECT range(100000000)', /range can have numbers up to/],
  ])('%s', async (statement, message) => {
    await expect(run(statement)).rejects.toThrow(message)
    await expect(run(statement)).rejects.toBeInstanceOf(StatementError)
  })

  test('nothing was written, and the settings of the connections are as before', async () => {
    expect(await rowsOf('SELECT count() FROM otel_logs')).toEqual([['2']])
    const settings = await engine.query<{ value: string }>(`SELECT value FROM system.settings WHERE name = 'readonly'`)
    expect(settings).toEqual([{ value: '0' }])
    await engine.command('CREATE TABLE service_a.later (id UInt64) ENGINE = Memory')
  })
})

describe('where telemetry is not of the service', () => {
  const ofService = (): ReadableDatabases => ({
    needsDatabase: true,
    resolve(name) {
      if (name === 'service_a') return name
      throw new SourceTableError('database', `${name} is not of this service`)
    },
  })
  const asked = (statement: string) => runStatement(engine, { statement }, ofService(), never)

  test('its own tables are read by their whole name', async () => {
    expect((await asked('WITH x AS (SELECT note FROM service_a.orders) SELECT * FROM x')).rows).toEqual([
      ['of service_a'],
    ])
  })

  test.each([
    'SELECT Body FROM otel_logs',
    'SELECT Body FROM default.otel_logs',
    'SELECT Body FROM telemetry.otel_logs',
    'SELECT note FROM service_a_sales.orders',
    "SELECT 'otel_logs AS (SELECT' AS x, Body FROM otel_logs",
    'WITH otel_logs AS (SELECT 1) SELECT * FROM otel_logs',
    'SELECT Body FROM otel_logs WHERE Body IN (WITH otel_logs AS (SELECT 1) SELECT toString(1) FROM otel_logs)',
    'SELECT Body FROM `otel_logs`',
  ])('%s', async (statement) => {
    await expect(asked(statement)).rejects.toBeInstanceOf(StatementError)
  })
})

describe('errors say the place', () => {
  test.each([
    ['SELECT Bdy FROM otel_logs', /did you mean Body\? \(at 8\)/],
    ['SELECT Body\nFRM otel_logs WHERE', /\(at 17\)/],
    ['SELECT Body FROM', /ends too early at 17 \(at 17\)/],
    ['/* ä */ SELECT file(1)', /\(at 16\)/],
    ['SELECT * FROM otel_log', /no table "otel_log".*\(at 15\)/],
  ])('%s', async (statement, message) => {
    await expect(run(statement)).rejects.toThrow(message)
  })
})

describe('limits', () => {
  /** Takes hours. */
  const heavy = 'SELECT sum(sipHash64(a.number, b.Body)) FROM system.numbers AS a CROSS JOIN otel_logs AS b'

  test('a client that leaves stops its statement, which tells its progress until then', async () => {
    const schedule = scheduleQueries(engine)
    const gone = new AbortController()
    const over = schedule.engineFor({ kind: 'page', key: 'k', queryId: 'q' })
    const answer = run(heavy, { signal: gone.signal, over })
    answer.catch(() => undefined)
    await expect.poll(async () => Number((await schedule.progressOf('k', ['q']))[0]?.rowsRead ?? 0)).toBeGreaterThan(0)
    gone.abort()
    await expect(answer).rejects.toBeInstanceOf(EngineAborted)
    await expect
      .poll(() => engine.query(`SELECT 1 FROM system.processes WHERE position(query, 'sip' || 'Hash64') > 0`))
      .toEqual([])
  })

  test.each([
    ['SELECT groupArray(toString(number)) FROM system.numbers', /too much memory/],
    ['SELECT arrayJoin(groupArray(a.number)) FROM system.numbers AS a', /too much memory/],
    [
      `SELECT repeat(Body, 300), number FROM otel_logs, (SELECT number FROM system.numbers LIMIT 5000) AS n`,
      /result is too large/,
    ],
  ])('%s', async (statement, message) => {
    await expect(run(statement, { maxRows: 10_000 })).rejects.toThrow(message)
  })
})
