/** Entries in the log of a real PostgreSQL server before others see it, because a synchronous standby does not answer. */
import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { ownPostgres } from '#node/testing/testPostgres.ts'
import { postgresPipes, tableMapping, type PostgresPipe } from '../../testing/postgres/postgresPipes.ts'

// Only sessions that ask for it wait for the standby.
const postgres = ownPostgres({
  settings: [
    'wal_level=logical',
    'max_replication_slots=12',
    'synchronous_standby_names=absent',
    'synchronous_commit=local',
  ],
})
const sql = (statements: string) => postgres.server.sql(statements)
const pipes = postgresPipes(postgres)
const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 100, timeout: 60_000 })
const rows = (table: string, columns = 'id, toString(v)') => pipes.rows(table, columns)

const made: PostgresPipe[] = []
const sessions: Client[] = []
afterEach(async () => {
  // Ends what waits for the standby.
  await sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
  for (const session of sessions.splice(0)) await session.end()
  for (const pipe of made.splice(0)) await pipe.remove()
})

async function create(...mappings: object[]): Promise<PostgresPipe> {
  const pipe = await pipes.create(mappings)
  made.push(pipe)
  await eventually(pipe.get).toMatchObject({ state: 'Running' })
  return pipe
}

async function pause(pipe: PostgresPipe): Promise<void> {
  await pipe.command('stop')
  await eventually(pipe.get).toMatchObject({ state: 'Paused' })
}

async function session(): Promise<Client> {
  const client = new Client(postgres.server.url('postgres'))
  client.on('error', () => {})
  await client.connect()
  sessions.push(client)
  return client
}

interface Unseen {
  /** Resolves once the pipe waits for something at the server, or has passed over what is not seen. */
  reached(): Promise<void>
  /** Whether the pipe has passed over it. */
  isPassed(): Promise<boolean>
  show(): Promise<void>
}

/** Commits statements, of which nobody sees what they wrote until it is shown. */
async function commitUnseen(statements: string): Promise<Unseen> {
  const client = await session()
  const { rows: own } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const pid = own[0]?.pid
  const done = client.query(`SET synchronous_commit = on; BEGIN; ${statements}; COMMIT`)
  // A test that fails earlier does not wait for it.
  done.catch(() => {})
  await eventually(() =>
    sql(`SELECT 1 FROM pg_stat_activity WHERE pid = ${pid} AND wait_event = 'SyncRep'`),
  ).toHaveLength(1)
  const [now] = await sql('SELECT pg_current_wal_flush_lsn()::text AS lsn, clock_timestamp()::text AS time')
  const isPassed = async () => {
    const found = await sql(`SELECT 1 FROM pg_replication_slots WHERE confirmed_flush_lsn >= '${now?.['lsn']}'`)
    return found.length > 0
  }
  return {
    isPassed,
    async reached() {
      const waits = () =>
        sql(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'data pipe' AND (wait_event_type = 'Lock'
          OR query LIKE '%pg_locks%' AND query_start > '${now?.['time']}')`)
      await eventually(async () => (await isPassed()) || (await waits()).length > 0).toBe(true)
    },
    async show() {
      await sql(`SELECT pg_cancel_backend(${pid})`)
      await done
    },
  }
}

test.each([
  ['above all others', 'above', [1, 2], 3],
  ['below all others', 'below', [2, 3], 1],
  ['of an empty table', 'blank', [], 1],
])(
  'a row %s that is seen late is in the table that is loaded again',
  { timeout: 120_000 },
  async (_, name, ids, late) => {
    await sql(`CREATE TABLE ${name} (id int PRIMARY KEY, v int)`)
    for (const id of ids) await sql(`INSERT INTO ${name} VALUES (${id}, ${id})`)
    const pipe = await create(tableMapping(name))
    await pause(pipe)
    await sql(`ALTER TABLE ${name} ALTER v TYPE bigint`)
    const unseen = await commitUnseen(`INSERT INTO ${name} VALUES (${late}, ${late})`)
    await pipe.command('start')
    // Its changes are passed over until its copy begins.
    await eventually(unseen.isPassed).toBe(true)
    const waits = () =>
      sql("SELECT 1 FROM pg_stat_activity WHERE application_name = 'data pipe' AND query LIKE '%pg_locks%'")
    await eventually(async () => (await pipe.get()).state === 'Running' || (await waits()).length > 0).toBe(true)
    await unseen.show()
    await eventually(() => rows(name)).toEqual([...ids, late].toSorted().map((id) => `[${id},"${id}"]`))
    await eventually(pipe.get).toMatchObject({ state: 'Running' })
  },
)

test('changes that are seen late are not taken for deletions or rows of before', { timeout: 120_000 }, async () => {
  await sql(
    'CREATE TABLE changed (id int PRIMARY KEY, v int); INSERT INTO changed VALUES (1, 1), (2, 2), (3, 3), (4, 4)',
  )
  const pipe = await create(tableMapping('changed'))
  const unseen = await commitUnseen(`UPDATE changed SET v = 10 WHERE id = 1; DELETE FROM changed WHERE id = 2;
    UPDATE changed SET id = 30 WHERE id = 3; INSERT INTO changed VALUES (5, 5)`)
  await unseen.reached()
  expect(await rows('changed')).toEqual(['[1,"1"]', '[2,"2"]', '[3,"3"]', '[4,"4"]'])
  await eventually(pipe.get).toMatchObject({
    state: 'Degraded',
    stateDetail: expect.stringContaining('changes wait for a transaction whose rows the source does not show yet'),
  })
  await unseen.show()
  await eventually(() => rows('changed')).toEqual(['[1,"10"]', '[4,"4"]', '[5,"5"]', '[30,"3"]'])
  await eventually(pipe.get).toMatchObject({ state: 'Running' })
})

test('a column that is seen late has the values of rows that changed with it', { timeout: 120_000 }, async () => {
  await sql('CREATE TABLE widened (id int PRIMARY KEY, v int); INSERT INTO widened VALUES (1, 1), (2, 2)')
  await create(tableMapping('widened'))
  const unseen = await commitUnseen('ALTER TABLE widened ADD w int; UPDATE widened SET w = 5 WHERE id = 1')
  await unseen.reached()
  await unseen.show()
  await eventually(() => rows('widened', 'id, w').catch(() => [])).toEqual(['[1,5]', '[2,0]'])
})

test(
  'a change that is seen late is newer than the rows of a part that was attached',
  { timeout: 120_000 },
  async () => {
    await sql(`CREATE TABLE parted (id int PRIMARY KEY, v int) PARTITION BY RANGE (id);
    CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (0) TO (10); INSERT INTO parted VALUES (1, 1);
    CREATE TABLE besides (id int PRIMARY KEY)`)
    const pipe = await create(tableMapping('parted'))
    await pause(pipe)
    await sql(`CREATE TABLE parted_high (id int PRIMARY KEY, v int); INSERT INTO parted_high VALUES (11, 11), (12, 12);
    ALTER TABLE parted ATTACH PARTITION parted_high FOR VALUES FROM (10) TO (20)`)
    const unseen = await commitUnseen('UPDATE parted SET v = 110 WHERE id = 11')
    // The log goes on, so that what is read from now on has a later version.
    await sql('INSERT INTO besides VALUES (1)')
    await pipe.command('start')
    await unseen.reached()
    await unseen.show()
    await eventually(() => rows('parted')).toEqual(['[1,"1"]', '[11,"110"]', '[12,"12"]'])
  },
)

test('changes do not wait for a transaction that is open', { timeout: 120_000 }, async () => {
  await sql('CREATE TABLE busy (id int PRIMARY KEY, v int); INSERT INTO busy VALUES (1, 1)')
  await create(tableMapping('busy'))
  const open = await session()
  await open.query('BEGIN; INSERT INTO busy VALUES (2, 2)')
  await sql('UPDATE busy SET v = 10 WHERE id = 1')
  await eventually(() => rows('busy')).toEqual(['[1,"10"]'])
  await open.query('COMMIT')
  await eventually(() => rows('busy')).toEqual(['[1,"10"]', '[2,"2"]'])
})

test('the first rows of a polled table may commit in any order', { timeout: 120_000 }, async () => {
  await sql('CREATE TABLE polled (id int PRIMARY KEY, v int)')
  await create(tableMapping('polled', { tableEngine: 'MergeTree' }))
  const [now] = await sql('SELECT clock_timestamp()::text AS time')
  const open = await session()
  await open.query('BEGIN; INSERT INTO polled VALUES (1, 1)')
  await sql('INSERT INTO polled VALUES (2, 2)')
  const waits = () =>
    sql(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'data pipe' AND query LIKE '%pg_locks%'
      AND query_start > '${now?.['time']}'`)
  await eventually(waits).not.toEqual([])
  await open.query('COMMIT')
  await eventually(() => pipes.rows('polled', 'id, v', '')).toEqual(['[1,1]', '[2,2]'])
})
