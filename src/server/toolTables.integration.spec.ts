/** The list of tables with the tool of a deployment, from a real engine: all of them, however large some are. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startToolServer, type ToolServer } from '#node/testing/toolServer.ts'
import type { Engine } from '#stack/telemetry/engine/engine.ts'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'
import { generousBudgetsFor, secrets, startTestGateway, type TestGateway } from '#gateway/testing/testGateway.ts'

const database = 'tool_tables'
let engine: Engine
let server: ToolServer
let gateway: TestGateway
/** Rows and characters of the answers. */
let answers: { rows: number; characters: number }[] = []

/** Columns with so many characters in the list of tables. */
function columns(characters: number): string {
  const names = Array.from({ length: Math.ceil(characters / 110) }, (_, at) => `${'c'.repeat(96)}_${at + 1_000}`)
  return names.map((name) => `${name} UInt64`).join(', ')
}

beforeAll(async () => {
  engine = await temporaryEngine({ maxMemory: 1024 ** 3 })
  await engine.command(`CREATE DATABASE ${database}`)
  const tables: [name: string, characters: number][] = [
    ['a_large', 45_000],
    ['b_small', 110],
    ['c_medium', 30_000],
    ['d_medium', 30_000],
    ['e_huge', 90_000],
    ['f_small', 110],
  ]
  for (const [name, characters] of tables) {
    await engine.command(`CREATE TABLE ${database}.${name} (${columns(characters)}) ENGINE = Memory`)
  }
  server = await startToolServer({
    key: secrets.accessKey,
    tools: {
      listSources: () => ({ sources: [], connections: [{ id: 'only', name: 'Only' }] }),
      sql: async ({ sql }) => {
        const [statement = ''] = String(sql).split('\nSETTINGS ')
        // The database of the test would come after those of the engine.
        const own = statement.replace(
          'WHERE t.database NOT IN (',
          `WHERE t.database = '${database}' AND t.database NOT IN (`,
        )
        const data = await engine.query(own)
        answers.push({ rows: data.length, characters: JSON.stringify(data).length })
        return { result: { data, rows: data.length } }
      },
    },
  })
  gateway = await startTestGateway(server, { budgets: generousBudgetsFor(server.url) })
})
afterAll(async () => {
  await gateway.close()
  await server.close()
  await engine.command(`DROP DATABASE ${database}`)
  await engine.close()
})

test('has every table, with answers that the tool does not shorten, and none that are empty', async () => {
  answers = []
  const { json } = await gateway.call('GET', '/api/c/oss/stack/sql/tables')
  const listed = json['result'] as { name: string; columns: unknown[] }[] // of this test
  expect(listed.map(({ name }) => name)).toEqual(['a_large', 'b_small', 'c_medium', 'd_medium', 'e_huge', 'f_small'])
  expect(listed.every(({ columns: own }) => own.length > 0)).toBe(true)
  expect(answers.every(({ rows }) => rows > 0)).toBe(true)
  expect(answers.filter(({ rows, characters }) => rows > 1 && characters > 50_000)).toEqual([])
})
