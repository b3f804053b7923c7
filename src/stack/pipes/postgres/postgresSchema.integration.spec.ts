/** Tables of the source that change while a pipe follows them: columns, names, parts, and the pipe's own resync. */
import { afterEach, describe, expect, test } from 'vitest'
import { ownPostgres } from '#node/testing/testPostgres.ts'
import { postgresPipes, tableMapping, type PostgresPipe } from '../../testing/postgres/postgresPipes.ts'

const postgres = ownPostgres({ settings: ['wal_level=logical', 'max_replication_slots=3'] })
const sql = (statements: string) => postgres.server.sql(statements)
const pipes = postgresPipes(postgres)
const { rows } = pipes
const made: PostgresPipe[] = []
async function create(...given: Parameters<typeof pipes.create>): Promise<PostgresPipe> {
  const pipe = await pipes.create(...given)
  made.push(pipe)
  return pipe
}
const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 100 })
const running = (pipe: PostgresPipe) => eventually(pipe.get).toMatchObject({ state: 'Running' })

afterEach(async () => {
  for (const pipe of made.splice(0)) await pipe.remove()
  expect(await sql('SELECT slot_name FROM pg_replication_slots')).toEqual([])
})

describe('columns', () => {
  test('that are widened, added, renamed and dropped', { timeout: 120_000 }, async () => {
    await sql(`CREATE TABLE wide (id int PRIMARY KEY, amount int, code int, note text, gone text);
      INSERT INTO wide SELECT g, g, g, 'n' || g, 'g' || g FROM generate_series(1, 3) g`)
    const pipe = await create([tableMapping('wide')])
    await running(pipe)
    await sql(`ALTER TABLE wide ALTER amount TYPE bigint; UPDATE wide SET amount = 5000000000 WHERE id = 1`)
    await eventually(() => rows('wide', 'id, amount')).toEqual(['[1,"5000000000"]', '[2,"2"]', '[3,"3"]'])
    await sql(`ALTER TABLE wide ALTER code TYPE text USING 'c' || code; UPDATE wide SET code = 'seven' WHERE id = 1`)
    await eventually(() => rows('wide', 'id, code')).toEqual(['[1,"seven"]', '[2,"c2"]', '[3,"c3"]'])
    await sql(`ALTER TABLE wide ADD extra text; UPDATE wide SET extra = 'new' WHERE id = 2`)
    await eventually(() => rows('wide', 'id, extra')).toEqual(['[1,""]', '[2,"new"]', '[3,""]'])
    await sql(`ALTER TABLE wide ADD filled int DEFAULT 7`)
    await eventually(() => rows('wide', 'id, filled').catch(() => [])).toEqual(['[1,7]', '[2,7]', '[3,7]'])
    await sql(`ALTER TABLE wide RENAME note TO remark; UPDATE wide SET remark = 'changed' WHERE id = 3`)
    await eventually(() => rows('wide', 'id, remark').catch(() => [])).toEqual([
      '[1,"n1"]',
      '[2,"n2"]',
      '[3,"changed"]',
    ])
    await sql(
      `ALTER TABLE wide DROP gone; UPDATE wide SET extra = 'last' WHERE id = 3; INSERT INTO wide (id) VALUES (4)`,
    )
    await eventually(() => rows('wide', 'id, gone, extra')).toEqual([
      '[1,"g1",""]',
      '[2,"g2","new"]',
      '[3,"","last"]',
      '[4,"",""]',
    ])
    await sql('ALTER TABLE wide ADD gone text')
    await eventually(() => rows('wide', 'id, gone')).toEqual(['[1,""]', '[2,""]', '[3,""]', '[4,""]'])
    // Its knowledge of the table is stored.
    await pipe.command('stop')
    await eventually(pipe.get).toMatchObject({ state: 'Paused' })
    await sql(`ALTER TABLE wide ADD later int DEFAULT 3; UPDATE wide SET extra = 'paused' WHERE id = 1`)
    await pipe.command('start')
    await eventually(() => rows('wide', 'id, later, extra').catch(() => [])).toEqual([
      '[1,3,"paused"]',
      '[2,3,"new"]',
      '[3,3,"last"]',
      '[4,3,""]',
    ])
    expect(await pipe.badRecords()).toEqual([])
  })

  test('of the key: another type, another name, and another key', { timeout: 120_000 }, async () => {
    await sql(`CREATE TABLE keyed (id int PRIMARY KEY, other text NOT NULL, v int);
      INSERT INTO keyed VALUES (1, 'a', 1), (2, 'b', 2)`)
    const pipe = await create([tableMapping('keyed')])
    await running(pipe)
    await sql('ALTER TABLE keyed ALTER id TYPE bigint; INSERT INTO keyed VALUES (5000000000, $$c$$, 3)')
    await eventually(() => rows('keyed', 'id, v')).toEqual(['["1",1]', '["2",2]', '["5000000000",3]'])
    await sql(
      'UPDATE keyed SET v = 10 WHERE id = 1; ALTER TABLE keyed RENAME id TO number; DELETE FROM keyed WHERE number = 2',
    )
    await eventually(() => rows('keyed', 'number, v').catch(() => [])).toEqual(['["1",10]', '["5000000000",3]'])
    await sql('ALTER TABLE keyed DROP CONSTRAINT keyed_pkey; ALTER TABLE keyed ADD PRIMARY KEY (other, number)')
    await sql("UPDATE keyed SET v = 11 WHERE number = 1; INSERT INTO keyed VALUES (1, 'other', 12)")
    await eventually(() => rows('keyed', 'number, other, v')).toEqual([
      '["1","a",11]',
      '["1","other",12]',
      '["5000000000","c",3]',
    ])
    expect(await pipe.badRecords()).toEqual([])
  })
})

test(
  'a pipe of an earlier version, which did not see changes of columns, loads the table again',
  { timeout: 120_000 },
  async () => {
    await sql('CREATE TABLE missed (id int PRIMARY KEY, v int); INSERT INTO missed VALUES (1, 1), (2, 2)')
    const pipe = await create([tableMapping('missed')])
    await running(pipe)
    await pipe.command('stop')
    await eventually(pipe.get).toMatchObject({ state: 'Paused' })
    // The earlier version stored no columns.
    await pipes.store.write((transaction) =>
      transaction.run("DELETE FROM pipe_cursors WHERE source LIKE 'columns %'", []),
    )
    await sql(
      'ALTER TABLE missed ALTER v TYPE bigint; ALTER TABLE missed ADD w int; UPDATE missed SET v = 5000000000, w = 3 WHERE id = 1',
    )
    await pipe.command('start')
    await eventually(() => rows('missed', 'id, v, w').catch(() => [])).toEqual(['[1,"5000000000",3]', '[2,"2",0]'])
    await running(pipe)
  },
)

test(
  'a resync loads into a new table, which takes the place of the old one at once',
  { timeout: 120_000 },
  async () => {
    await sql(
      `CREATE TABLE again (id int PRIMARY KEY, v int); INSERT INTO again SELECT g, 0 FROM generate_series(1, 20000) g`,
    )
    const pipe = await create([tableMapping('again')], { snapshotNumRowsPerPartition: 1000 })
    await running(pipe)
    await pipes.engine.command(`INSERT INTO ${pipes.database}.again (id, v) VALUES (-1, -1)`)
    await pipes.engine.command(`ALTER TABLE ${pipes.database}.again MODIFY COMMENT 'ours'`)
    const count = async () => (await rows('again', 'count(), sum(v)').catch(() => ['missing']))[0]
    const seen = new Set<string | undefined>()
    await pipe.command('stop')
    await eventually(pipe.get).toMatchObject({ state: 'Paused' })
    await sql('DELETE FROM again WHERE id > 19000; UPDATE again SET v = 1')
    await pipe.command('resync')
    await eventually(async () => {
      const now = await count()
      seen.add(now)
      return now
    }).toBe('["19001","18999"]')
    expect([...seen].toSorted()).toEqual(['["19001","18999"]', '["20001","-1"]'])
    await running(pipe)
    await sql('UPDATE again SET v = 2 WHERE id = 1')
    await eventually(() => rows('again', 'id, v').then((all) => all.slice(0, 2))).toEqual(['[-1,-1]', '[1,2]'])
    const tables = await pipes.engine.query<{ name: string; comment: string }>(
      "SELECT name, comment FROM system.tables WHERE database = {database:String} AND name LIKE 'again%'",
      { params: { database: pipes.database } },
    )
    expect(tables).toEqual([{ name: 'again', comment: 'ours' }])
  },
)

test(
  'a table that is renamed, dropped or replaced needs a person, and the others go on',
  { timeout: 120_000 },
  async () => {
    await sql(`CREATE TABLE moved (id int PRIMARY KEY, v int); INSERT INTO moved VALUES (1, 1);
    CREATE TABLE stays (id int PRIMARY KEY, v int); INSERT INTO stays VALUES (1, 1)`)
    const pipe = await create([tableMapping('moved'), tableMapping('stays')])
    await running(pipe)
    await sql('ALTER TABLE moved RENAME TO elsewhere; UPDATE elsewhere SET v = 2; UPDATE stays SET v = 2')
    await eventually(pipe.get).toMatchObject({
      state: 'Degraded',
      stateDetail: expect.stringMatching(
        /^public.moved was renamed to public.elsewhere at the source: .*\. logical replication of public.stays every 1 s/,
      ),
    })
    await eventually(() => rows('stays', 'id, v')).toEqual(['[1,2]'])
    await sql('ALTER TABLE elsewhere RENAME TO moved')
    await running(pipe)
    expect(await rows('moved', 'id, v')).toEqual(['[1,2]'])
    await sql('DROP TABLE moved; UPDATE stays SET v = 3')
    await eventually(pipe.get).toMatchObject({
      state: 'Degraded',
      stateDetail: expect.stringContaining('public.moved was dropped at the source'),
    })
    await eventually(() => rows('stays', 'id, v')).toEqual(['[1,3]'])
    expect(await rows('moved', 'id, v')).toEqual(['[1,2]'])
    // A resync does not wait for it either.
    await pipe.command('resync')
    await eventually(pipe.get).toMatchObject({
      state: 'Degraded',
      stateDetail: expect.stringContaining('of public.stays'),
    })
    await sql("CREATE TABLE moved (id int PRIMARY KEY, v int, w text); INSERT INTO moved VALUES (7, 7, 'w')")
    await running(pipe)
    expect(await rows('moved', 'id, v, w')).toEqual(['[7,7,"w"]'])
  },
)

test('a table that may not be read any more does not stop the others', { timeout: 120_000 }, async () => {
  await sql(`CREATE ROLE limited LOGIN REPLICATION; CREATE TABLE secret (id int PRIMARY KEY, v int); INSERT INTO secret VALUES (1, 1);
    CREATE TABLE open (id int PRIMARY KEY, v int); INSERT INTO open VALUES (1, 1); GRANT SELECT ON secret, open TO limited`)
  const pipe = await create(
    [tableMapping('secret'), tableMapping('open')],
    {},
    {
      credentials: { username: 'limited', password: '' },
    },
  )
  await running(pipe)
  await sql('REVOKE SELECT ON secret FROM limited; UPDATE secret SET v = 2; UPDATE open SET v = 2')
  await eventually(pipe.get).toMatchObject({
    state: 'Degraded',
    stateDetail: expect.stringContaining('public.secret cannot be read: permission denied'),
  })
  await eventually(() => rows('open', 'id, v')).toEqual(['[1,2]'])
  await sql('GRANT SELECT ON secret TO limited')
  await running(pipe)
  expect(await rows('secret', 'id, v')).toEqual(['[1,2]'])
})

test(
  'without a free slot, new rows are polled until there is one, and then everything is right',
  { timeout: 120_000 },
  async () => {
    await sql(`SELECT pg_create_logical_replication_slot('taken' || g, 'test_decoding') FROM generate_series(1, 3) g;
    CREATE TABLE waiting (id int PRIMARY KEY, v int); INSERT INTO waiting VALUES (1, 1), (2, 2)`)
    const pipe = await create([tableMapping('waiting')])
    await eventually(pipe.get).toMatchObject({
      state: 'Degraded',
      stateDetail: expect.stringMatching(/^the server has no free replication slot, and the pipe waits for one/),
    })
    await sql(
      'INSERT INTO waiting VALUES (3, 3); UPDATE waiting SET v = 10 WHERE id = 1; DELETE FROM waiting WHERE id = 2',
    )
    await eventually(() => rows('waiting', 'id')).toEqual(['[1]', '[2]', '[3]'])
    await sql("SELECT pg_drop_replication_slot('taken1')")
    await eventually(pipe.get).toMatchObject({
      state: 'Running',
      stateDetail: expect.stringMatching(/^logical replication/),
    })
    expect(await rows('waiting', 'id, v')).toEqual(['[1,10]', '[3,3]'])
    await sql('UPDATE waiting SET v = 30 WHERE id = 3')
    await eventually(() => rows('waiting', 'id, v')).toEqual(['[1,10]', '[3,30]'])
    await sql('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots')
  },
)

test('a partitioned table is followed, with its parts', { timeout: 120_000 }, async () => {
  await sql(`CREATE TABLE parted (id int, day date, v int, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
    CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
    CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
    INSERT INTO parted VALUES (1, '2026-01-10', 1), (2, '2026-02-10', 2)`)
  const pipe = await create([tableMapping('parted')])
  await eventually(pipe.get).toMatchObject({
    state: 'Running',
    stateDetail: expect.stringMatching(/^logical replication of public.parted /),
  })
  const all = () => rows('parted', 'id, day, v')
  await sql(
    `UPDATE parted SET v = 10 WHERE id = 1; UPDATE parted SET day = '2026-01-20' WHERE id = 2; INSERT INTO parted VALUES (3, '2026-02-03', 3)`,
  )
  await eventually(all).toEqual(['[1,"2026-01-10",10]', '[2,"2026-01-20",2]', '[3,"2026-02-03",3]'])
  // A new part, and one that was a table before.
  await sql(`CREATE TABLE parted_3 PARTITION OF parted FOR VALUES FROM ('2026-03-01') TO ('2026-04-01'); INSERT INTO parted VALUES (4, '2026-03-04', 4);
    CREATE TABLE parted_4 (LIKE parted INCLUDING ALL); INSERT INTO parted_4 VALUES (5, '2026-04-05', 5)`)
  await eventually(all).toHaveLength(4)
  await sql(`ALTER TABLE parted ATTACH PARTITION parted_4 FOR VALUES FROM ('2026-04-01') TO ('2026-05-01')`)
  await eventually(all).toHaveLength(5)
  await sql(`UPDATE parted SET v = 50 WHERE id = 5`)
  await eventually(all).toContain('[5,"2026-04-05",50]')
  await sql('DROP TABLE parted_1')
  await eventually(all).toEqual(['[3,"2026-02-03",3]', '[4,"2026-03-04",4]', '[5,"2026-04-05",50]'])
  await sql(`TRUNCATE parted_3`)
  await eventually(all).toEqual(['[3,"2026-02-03",3]', '[5,"2026-04-05",50]'])
  await sql(`TRUNCATE parted; INSERT INTO parted VALUES (9, '2026-02-09', 9)`)
  await eventually(all).toEqual(['[9,"2026-02-09",9]'])
  expect((await rows('parted', 'count()', '')).length).toBe(1)
})

test('rows of tables that inherit are followed if they have a key, and else polled', { timeout: 120_000 }, async () => {
  await sql(`CREATE TABLE parent (id int PRIMARY KEY, v int); CREATE TABLE child (PRIMARY KEY (id)) INHERITS (parent);
    INSERT INTO parent VALUES (1, 1); INSERT INTO child VALUES (2, 2);
    CREATE TABLE keyless (id int PRIMARY KEY, v int); CREATE TABLE keyless_child () INHERITS (keyless); INSERT INTO keyless_child VALUES (1, 1)`)
  const pipe = await create([tableMapping('parent'), tableMapping('keyless')])
  await eventually(pipe.get).toMatchObject({
    state: 'Running',
    stateDetail: expect.stringMatching(/^logical replication of public.parent .* polling public.keyless /),
  })
  await sql(
    'UPDATE child SET v = 20; DELETE FROM parent WHERE id = 1; INSERT INTO child VALUES (3, 3); INSERT INTO keyless_child VALUES (2, 2)',
  )
  await eventually(() => rows('parent', 'id, v')).toEqual(['[2,20]', '[3,3]'])
  await eventually(() => rows('keyless', 'id, v')).toEqual(['[1,1]', '[2,2]'])
})

test('a table that is taken out of the pipe and put back is loaded again', { timeout: 120_000 }, async () => {
  await sql(`CREATE TABLE leaves (id int PRIMARY KEY, v int); INSERT INTO leaves VALUES (1, 1), (2, 2);
    CREATE TABLE remains (id int PRIMARY KEY, v int)`)
  const pipe = await create([tableMapping('leaves'), tableMapping('remains')])
  await running(pipe)
  const change = async (changes: object, statements: string) => {
    await pipe.command('stop')
    await eventually(pipe.get).toMatchObject({ state: 'Paused' })
    expect(await pipe.change({ source: { postgres: changes } })).toMatchObject({ status: 200 })
    await sql(statements)
    await pipe.command('start')
    await running(pipe)
  }
  await change(
    { tableMappingsToRemove: [tableMapping('leaves')] },
    'UPDATE leaves SET v = 10 WHERE id = 1; DELETE FROM leaves WHERE id = 2',
  )
  await sql('INSERT INTO remains VALUES (1, 1)')
  await eventually(() => rows('remains', 'id')).toEqual(['[1]'])
  await change({ tableMappingsToAdd: [tableMapping('leaves')] }, 'INSERT INTO leaves VALUES (3, 3)')
  await eventually(() => rows('leaves', 'id, v')).toEqual(['[1,10]', '[3,3]'])
})

test('a table whose changes were not logged for a while is loaded again', { timeout: 120_000 }, async () => {
  await sql('CREATE TABLE silent (id int PRIMARY KEY, v int); INSERT INTO silent VALUES (1, 1), (2, 2)')
  const pipe = await create([tableMapping('silent')])
  await running(pipe)
  await sql('ALTER TABLE silent REPLICA IDENTITY NOTHING')
  await eventually(pipe.get).toMatchObject({ stateDetail: expect.stringMatching(/^polling public.silent /) })
  await sql('UPDATE silent SET v = 10 WHERE id = 1; DELETE FROM silent WHERE id = 2; INSERT INTO silent VALUES (3, 3)')
  await eventually(() => rows('silent', 'id')).toEqual(['[1]', '[2]', '[3]'])
  await sql('ALTER TABLE silent REPLICA IDENTITY DEFAULT')
  await eventually(() => rows('silent', 'id, v')).toEqual(['[1,10]', '[3,3]'])
  await sql('DELETE FROM silent WHERE id = 3')
  await eventually(() => rows('silent', 'id, v')).toEqual(['[1,10]'])
})
