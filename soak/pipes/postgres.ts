/**
 * Tables of a PostgreSQL server, through kills of the stack, while rows change, some to values that the engine has no room for,
 * and columns, keys and parts of the tables change. In the end each row that fits is as it is at the source, each other one is a bad
 * record, and no change is stored twice.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startPostgres } from '../../src/node/testing/postgresProcess.ts'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '../../src/stack/testing/pipeProcess.ts'
import { postgresPipeInput, tableMapping } from '../../src/stack/testing/postgres/postgresPipes.ts'

/** `SOAK_POSTGRES_ROWS`; a smaller number for slow machines. */
const count = Number(process.env['SOAK_POSTGRES_ROWS'] ?? 300_000)
/** Changes of columns, each followed by a kill. */
const alterations = [
  'ALTER TABLE ledger ADD extra text',
  'ALTER TABLE ledger ALTER v TYPE bigint; UPDATE ledger SET v = 5000000000 + id WHERE id % 50 = 1',
  'ALTER TABLE ledger ADD filled int DEFAULT 7',
  'CREATE TABLE parted_3 PARTITION OF parted FOR VALUES FROM (200000000) TO (300000000); INSERT INTO parted SELECT 200000000 + g, g FROM generate_series(1, 500) g',
  "ALTER TABLE ledger ALTER code TYPE text USING 'c' || code",
  'ALTER TABLE ledger RENAME note TO remark',
  'ALTER TABLE parted DETACH PARTITION parted_1',
  'ALTER TABLE ledger DROP gone',
  'ALTER TABLE ledger RENAME TO elsewhere; UPDATE elsewhere SET filled = 8 WHERE id % 11 = 0; ALTER TABLE elsewhere RENAME TO ledger',
  'ALTER TABLE parted ATTACH PARTITION parted_1 FOR VALUES FROM (0) TO (100000000)',
  'ALTER TABLE ledger ALTER id TYPE bigint',
]
/** Milliseconds until the pipe is as far as the source. */
const patienceMs = 300_000

/** Whether a row of the ledger has room in the engine. */
const fits = "amount <> 'NaN' AND abs(amount) < 1e19 AND day BETWEEN '1900-01-01' AND '2299-12-31'"

/** @returns what differs between the source and its copies */
export async function postgresKills(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-postgres-'))
  const files = join(folder, 'files')
  await mkdir(files)
  // A folder of its own, which belongs to the server's user.
  const data = await mkdtemp(join(tmpdir(), 'soak-server-'))
  const server = await startPostgres(data, { settings: ['wal_level=logical'] })
  let pipes: PipeProcess | undefined
  try {
    await server.sql(`CREATE TABLE ledger (id int PRIMARY KEY, v int, code int, amount numeric, day date, note text, gone text);
      INSERT INTO ledger SELECT g, g, g % 1000, g / 4.0, date '2000-01-01' + g % 9000, md5(g::text), 'gone' FROM generate_series(1, ${count}) g;
      CREATE TABLE parted (id bigint PRIMARY KEY, v int) PARTITION BY RANGE (id);
      CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (100000000);
      CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (100000000) TO (200000000);
      INSERT INTO parted SELECT g * 9999, g FROM generate_series(1, 20000) g;
      UPDATE ledger SET amount = 'NaN' WHERE id % 997 = 0; UPDATE ledger SET day = 'infinity' WHERE id % 991 = 0`)
    pipes = await startPipeProcess(folder, files)
    const settings = { snapshotNumRowsPerPartition: 10_000, pullBatchSize: 5000 }
    await pipes.create(postgresPipeInput(server.port, [tableMapping('ledger'), tableMapping('parted')], settings))
    for (const [round, alteration] of ['', '', ...alterations].entries()) {
      await server.sql(`${alteration}; ${changes(round)}`)
      await wait(200 + Math.random() * 4000)
      await pipes.kill()
      pipes = await startPipeProcess(folder, files)
    }
    return await differences(pipes, server.sql)
  } finally {
    await pipes?.kill()
    await server.stop()
    for (const used of [folder, data]) await rm(used, { recursive: true, force: true })
  }
}

/** Changes of rows, with values that do not fit and values that do again. */
function changes(round: number): string {
  const some = (every: number) => `id % ${every} = ${(round * 7) % every}`
  return `UPDATE ledger SET code = code WHERE ${some(40)};
    UPDATE ledger SET amount = 'NaN' WHERE ${some(1009)}; UPDATE ledger SET amount = 1e30 WHERE ${some(2003)};
    UPDATE ledger SET day = '1850-01-01' WHERE ${some(1511)}; UPDATE ledger SET day = '0044-03-15 BC' WHERE ${some(3001)};
    UPDATE ledger SET amount = id, day = '2020-02-20' WHERE ${some(1013)};
    DELETE FROM ledger WHERE ${some(307)}; UPDATE parted SET v = v + 1 WHERE ${some(3)};
    INSERT INTO ledger (id, v, amount, day) SELECT ${count} + ${round} * 10000 + g, g, g, '2010-01-01' FROM generate_series(1, 2000) g`
}

type Sql = (statements: string) => Promise<Record<string, unknown>[]>

async function differences(pipes: PipeProcess, sql: Sql): Promise<string[]> {
  const compared = 'id, v, code, amount, day, remark, extra, filled'
  const [want] = await sql(
    `SELECT count(*)::text AS rows, sum(v)::text AS v, trim_scale(sum(amount))::text AS amount, sum(length(code))::text AS codes,
       sum(day - date '1970-01-01')::text AS days, sum(length(remark))::text AS remarks, sum(filled)::text AS filled FROM ledger WHERE ${fits}`,
  )
  const misfits = new Set(
    (await sql(`SELECT id::text AS id FROM ledger WHERE NOT (${fits})`)).map(({ id }) => String(id)),
  )
  const [parted] = await sql('SELECT count(*)::text AS rows, sum(v)::text AS v FROM parted')
  const here = async () => {
    const [ledger] = await pipes.query<Record<string, string>>(
      `SELECT toString(count()) AS rows, toString(sum(v)) AS v, toString(sum(amount)) AS amount, toString(sum(lengthUTF8(code))) AS codes,
         toString(sum(toInt32(day))) AS days, toString(sum(lengthUTF8(remark))) AS remarks, toString(sum(filled)) AS filled
       FROM (SELECT ${compared} FROM ${pipeDatabase}.ledger FINAL) WHERE toString(id) NOT IN (${[...misfits].map((id) => `'${id}'`).join(', ')})`,
    )
    const [parts] = await pipes.query<Record<string, string>>(
      `SELECT toString(count()) AS rows, toString(sum(v)) AS v FROM ${pipeDatabase}.parted FINAL`,
    )
    return { ledger, parts }
  }
  const plain = (row: Record<string, unknown> | undefined) => JSON.stringify(row)
  let found = await here().catch(() => null)
  for (const since = Date.now(); Date.now() - since < patienceMs; await wait(1000)) {
    found = await here().catch(() => null)
    if (plain(found?.ledger) === plain(want) && plain(found?.parts) === plain(parted)) break
  }
  const [repeated] = await pipes.query<{ rows: string }>(
    `SELECT toString(count() - uniqExact(id, _pipe_version)) AS rows FROM ${pipeDatabase}.ledger`,
  )
  const bad = await pipes.query<{ id: string }>(
    `SELECT DISTINCT offset AS id FROM ${pipeDatabase}.ledger_datapipes_error WHERE topic = 'public.ledger'`,
  )
  const listed = new Set(bad.map(({ id }) => id))
  const missing = [...misfits].filter((id) => !listed.has(id)).length
  const [state] = await pipes.states()
  console.log(
    `${alterations.length + 2} kills; ${String(want?.['rows'])} rows that fit, ${misfits.size} that do not, ${state?.state}`,
  )
  return [
    ...(plain(found?.ledger) === plain(want) ? [] : [`the ledger is ${plain(found?.ledger)}, not ${plain(want)}`]),
    ...(plain(found?.parts) === plain(parted) ? [] : [`the parts are ${plain(found?.parts)}, not ${plain(parted)}`]),
    ...(repeated?.rows === '0' ? [] : [`${repeated?.rows} changes are stored twice`]),
    ...(missing === 0 ? [] : [`${missing} of ${misfits.size} bad rows are not listed`]),
    ...(state?.state === 'Running' ? [] : [`the pipe is ${state?.state}: ${state?.stateDetail}`]),
  ]
}
