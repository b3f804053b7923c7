/** Values that the engine has no room for: their rows are bad records, and all others are stored as they are, once. */
import { describe, expect, test } from 'vitest'
import { ownPostgres } from '#node/testing/testPostgres.ts'
import { postgresPipes, tableMapping } from '../../testing/postgres/postgresPipes.ts'

const postgres = ownPostgres({ settings: ['wal_level=logical', 'max_replication_slots=12'] })
const sql = (statements: string) => postgres.server.sql(statements)
const pipes = postgresPipes(postgres)
const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 100 })
const slots = async () => (await sql('SELECT slot_name FROM pg_replication_slots')).length

/** Each type with a value that fits, and those that do not. */
const hostile: [type: string, good: string, bad: string[]][] = [
  ['numeric', '12.5', ['NaN', '1e30', 'Infinity']],
  ['numeric(60, 2)', '12345678901234567890123456789012345678901234567890.25', ['NaN']],
  ['numeric(90, 0)', '9'.repeat(80), []],
  ['numeric(5, -2)', '12300', []],
  ['date', '1950-02-28', ['1850-01-01', '2400-01-01', 'infinity', '-infinity', '0044-03-15 BC', '12000-01-01']],
  ['timestamp', '2024-02-29 23:59:59.123456', ['1850-01-01', '2400-01-01', 'infinity', '0044-03-15 BC', '12000-01-01']],
  ['timestamptz', '2024-02-29 23:59:59.123456+00', ['1850-01-01 00:00+00', '2400-01-01 00:00+00', '-infinity']],
  ['int[]', '{1,2}', ['{{1,2},{3,4}}']],
  ['numeric(4, 1)[]', '{1.5}', ['{NaN}']],
  ['date[]', '{2024-01-01}', ['{1850-01-01}']],
]

describe.each(['while it is copied', 'while it is followed'])('a table with hostile values, %s', (when) => {
  const isCopied = when === 'while it is copied'
  test('has its bad rows in the table of bad records, and the others once', { timeout: 120_000 }, async () => {
    const name = isCopied ? 'copied' : 'followed'
    const columns = hostile.map(([type], at) => `c${at} ${type}`).join(', ')
    await sql(
      `CREATE TABLE ${name} (id int PRIMARY KEY, "it's ""odd""" text, ${columns}); CREATE TABLE ${name}_other (id int PRIMARY KEY, v int)`,
    )
    const good = hostile.map(([, value]) => `'${value}'`)
    const bad = hostile.flatMap(([, , values], at) => values.map((value) => good.with(at, `'${value}'`)))
    const all = [good, ...bad, good].map((row, id) => `(${[id, "'x'", ...row].join(', ')})`)
    const fill = `INSERT INTO ${name} VALUES ${all.join(', ')}; INSERT INTO ${name}_other VALUES (1, 1), (2, 2)`
    if (isCopied) await sql(fill)
    const pipe = await pipes.create([tableMapping(name), tableMapping(`${name}_other`)])
    await eventually(pipe.get).toMatchObject({ state: 'Running' })
    if (!isCopied) await sql(fill)
    await eventually(() => pipes.rows(`${name}_other`, 'id, v', '')).toEqual(['[1,1]', '[2,2]'])
    await eventually(() => pipes.rows(name, 'id', '')).toEqual(['[0]', `[${bad.length + 1}]`])
    expect(await pipes.rows(name, hostile.map((_, at) => `toString(c${at})`).join(', '))).toEqual(
      Array.from({ length: 2 }, () => JSON.stringify(hostile.map(([type, value]) => stored(type, value)))),
    )
    const records = await pipe.badRecords()
    expect(records.map(({ topic, offset }) => `${topic} ${offset}`).toSorted()).toEqual(
      bad.map((_, at) => `public.${name} ${at + 1}`).toSorted(),
    )
    for (const { reason, offset } of records) {
      const at = bad[Number(offset) - 1]?.findIndex((value, column) => value !== good[column])
      expect(reason).toContain(`c${at}`)
    }
    // The pipe goes on, and the server's log is not kept for the bad rows.
    await sql(
      `UPDATE ${name}_other SET v = 10 WHERE id = 1; UPDATE ${name} SET c0 = 1, c4 = '2000-01-01' WHERE id IN (1, 2)`,
    )
    await eventually(() => pipes.rows(`${name}_other`, 'id, v')).toEqual(['[1,10]', '[2,2]'])
    await eventually(() => pipes.rows(name, 'id')).toHaveLength(4)
    const behind = async () => {
      const [row] = await sql('SELECT pg_current_wal_lsn() - confirmed_flush_lsn AS bytes FROM pg_replication_slots')
      return Number(row?.['bytes'])
    }
    await eventually(behind).toBeLessThan(10_000)
    expect(await pipe.get()).toMatchObject({ state: 'Running' })
    await pipe.remove()
    expect(await slots()).toBe(0)
  })
})

function stored(type: string, value: string): string {
  if (type.endsWith('[]')) return value.replace('{', '[').replace('}', ']').replace('2024-01-01', "'2024-01-01'")
  return value.replace(/\+00$/, '')
}

test('bad rows are known by the values of their key, or by their address', { timeout: 60_000 }, async () => {
  await sql(`CREATE TABLE pairs (a text, b int, day date, PRIMARY KEY (a, b)); CREATE TABLE loose (day date);
    INSERT INTO pairs VALUES ('x, "y"', 1, 'infinity'), ('x', 2, '2024-01-01'); INSERT INTO loose VALUES ('2024-01-01'), ('1850-01-01')`)
  const pipe = await pipes.create([tableMapping('pairs'), tableMapping('loose')])
  await eventually(pipe.get).toMatchObject({ state: 'Running' })
  const bad = await pipe.badRecords()
  expect(bad.map(({ topic, partition, offset }) => [topic, partition, offset]).toSorted()).toEqual([
    ['public.loose', '', 'row (0,2)'],
    ['public.pairs', 'a, b', '["x, \\"y\\"", 1]'],
  ])
  expect(bad.map(({ reason }) => reason).toSorted()).toEqual([
    'day: 1850-01-01 is out of range for Date32',
    'day: infinity is out of range for Date32',
  ])
  expect(await pipes.rows('pairs', 'a, b')).toEqual(['["x",2]'])
  await pipe.remove()
})

test('times do not depend on the zone and the style of dates of the server', { timeout: 60_000 }, async () => {
  await sql(`CREATE TABLE zoned (id int PRIMARY KEY, at timestamptz, local timestamp, day date, for_ever double precision, least real);
    INSERT INTO zoned VALUES (1, '2024-01-02 12:00+05', '2024-01-02 03:04:05', '2024-01-02', 'Infinity', 1e-45);
    ALTER ROLE stack SET timezone = 'Asia/Tokyo'; ALTER ROLE stack SET datestyle = 'SQL, DMY'; ALTER ROLE stack SET extra_float_digits = 0`)
  const pipe = await pipes.create([tableMapping('zoned')])
  const all = ['["2024-01-02 07:00:00.000000","2024-01-02 03:04:05.000000","2024-01-02",1,1e-45]']
  const read = () => pipes.rows('zoned', 'at, local, day, isInfinite(for_ever), least').catch(() => [])
  await eventually(read).toEqual(all)
  await sql('UPDATE zoned SET id = 2')
  await eventually(() => pipes.rows('zoned', 'id')).toEqual(['[2]'])
  expect(await read()).toEqual(all)
  await pipe.remove()
  await sql('ALTER ROLE stack RESET ALL')
})

test('columns have the types that the engine gives them', async () => {
  const types =
    `smallint;int;bigint;boolean;real;double precision;numeric;numeric(10,2);numeric(60,2);date;timestamp;timestamp(3);timestamptz;
    uuid;char(3);varchar(10);text;bytea;json;jsonb;interval;time;money;inet;"char";oid;int4range;bit(3);int[];text[];timestamp[];date[];
    numeric[];numeric(10,2)[];int[][];uuid[];boolean[];real[];int NOT NULL`.split(';')
  await sql(`CREATE TABLE typed (${types.map((type, at) => `c${at} ${type}`).join(', ')})`)
  const pipe = await pipes.create([tableMapping('typed')], { allowNullableColumns: true })
  await eventually(pipe.get).toMatchObject({ state: 'Running' })
  const columns = (described: { name: string; type: string }[]) => described.map(({ name, type }) => `${name} ${type}`)
  const described = await pipes.engine.query<{ name: string; type: string }>(
    `DESCRIBE postgresql('127.0.0.1:${postgres.server.port}', 'postgres', 'typed', 'stack', '')`,
  )
  const stored = await pipes.engine.query<{ name: string; type: string }>(
    "SELECT name, type FROM system.columns WHERE database = {database:String} AND table = 'typed' AND default_kind = '' ORDER BY position",
    { params: { database: pipes.database } },
  )
  expect(columns(stored)).toEqual(columns(described))
  await pipe.remove()
})
