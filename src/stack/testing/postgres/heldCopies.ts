/** Tables of which a copy can be held at one row, on a server of the spec. Call this outside of the tests. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { OwnPostgres } from '#node/testing/testPostgres.ts'

export interface HeldCopies {
  /** Makes copies wait before the row 1500 of a gated table. */
  hold(): Promise<unknown>
  /** Resolves once a copy waits there. */
  held(): Promise<void>
  release(): Promise<unknown>
  /** Creates a table with the rows 1 to 3000. @param key the type of its key */
  gatedTable(name: string, key?: string): Promise<unknown>
  /** Creates a table with the rows 1 and 2. */
  plainTable(name: string): Promise<unknown>
  /** Changes rows before and behind the place where a copy is held, each in another way. */
  changeRows(name: string): Promise<unknown>
  /** Carries out statements that need a table for themselves: after the part that is held, and before the next one. */
  betweenParts(statements: string): Promise<void>
  /** The rows of a table of the source, as JSON texts of lists. */
  sourceRows(table: string, columns: string): Promise<string[]>
}

/** The settings of a pipe that copies tables in three parts, one after the other. */
export const threeParts = { snapshotNumRowsPerPartition: 1000, initialLoadParallelism: 1 }

/** The part of a source that says who the pipe is: somebody who has to pass the gate, as a superuser has not. */
export const visitor = { credentials: { username: 'visitor', password: '' } }

export function heldCopies(postgres: OwnPostgres): HeldCopies {
  const sql = (statements: string) => postgres.server.sql(statements)
  /** A session that holds the gate. */
  let gate: Client
  const release = () => gate.query('SELECT pg_advisory_unlock_all()')
  /** Waits until somebody waits for a lock. @param condition on `pg_locks` */
  async function waiting(condition: string): Promise<void> {
    const all = () => sql(`SELECT 1 FROM pg_locks WHERE NOT granted AND ${condition}`)
    while ((await all()).length === 0) await sleep(20)
  }
  beforeAll(async () => {
    gate = new Client(postgres.server.url('postgres'))
    await gate.connect()
    // Rows that changed are found by the index, without passing others.
    await sql(`CREATE ROLE visitor LOGIN REPLICATION;
      ALTER ROLE visitor SET enable_seqscan = off; ALTER ROLE visitor SET enable_hashjoin = off; ALTER ROLE visitor SET enable_mergejoin = off;
      CREATE FUNCTION passes(id text) RETURNS boolean LANGUAGE plpgsql AS
        $$ BEGIN IF id = '1500' THEN PERFORM pg_advisory_xact_lock_shared(7); END IF; RETURN true; END $$`)
  })
  afterEach(async () => void (await release()))
  afterAll(() => gate.end())
  return {
    hold: () => gate.query('SELECT pg_advisory_lock(7)'),
    held: () => waiting("locktype = 'advisory'"),
    release,
    gatedTable: (name, key = 'int') =>
      sql(`CREATE TABLE ${name} (id ${key} PRIMARY KEY, v int, note text); INSERT INTO ${name} SELECT g, 0, 'n' || g FROM generate_series(1, 3000) g;
        ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY; GRANT SELECT ON ${name} TO visitor;
        CREATE POLICY gate ON ${name} TO visitor USING (passes(id::text))`),
    plainTable: (name) =>
      sql(`CREATE TABLE ${name} (id int PRIMARY KEY, v int); INSERT INTO ${name} VALUES (1, 1), (2, 2);
        GRANT SELECT ON ${name} TO visitor`),
    changeRows: (name) =>
      sql(`UPDATE ${name} SET v = 100 WHERE id IN ('1', '2500'); DELETE FROM ${name} WHERE id IN ('2', '2501');
        UPDATE ${name} SET id = '5000' WHERE id = '3'; UPDATE ${name} SET id = '5001' WHERE id = '2502';
        UPDATE ${name} SET id = '2502', v = 7 WHERE id = '4'; INSERT INTO ${name} VALUES ('6000', 6, 'new');
        DELETE FROM ${name} WHERE id = '5'; INSERT INTO ${name} VALUES ('5', 55, 'again')`),
    async betweenParts(statements) {
      const done = sql(statements)
      await Promise.race([done, waiting("mode = 'AccessExclusiveLock'")])
      await release()
      await done
    },
    async sourceRows(table, columns) {
      const found = await sql(`SELECT json_build_array(${columns})::text AS row FROM ${table}`)
      return found.map(({ row }) => JSON.stringify(JSON.parse(String(row))))
    },
  }
}

/** The rows that only one of two lists has. */
export function differences(source: readonly string[], loaded: readonly string[]): string[] {
  const [there, here] = [new Set(source), new Set(loaded)]
  return [
    ...source.filter((row) => !here.has(row)).map((row) => `only at the source: ${row}`),
    ...loaded.filter((row) => !there.has(row)).map((row) => `only in the table: ${row}`),
    ...(loaded.length === here.size ? [] : ['a row twice']),
  ]
}
