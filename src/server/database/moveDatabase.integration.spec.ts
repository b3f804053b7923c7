import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { program } from '#node/testing/program.ts'
import { openDatabase } from '#gateway/database/database.ts'
import { answerJson, startTestGateway, startUpstream } from '#gateway/testing/testGateway.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { firstStart } from '#stack/startup/firstStart.ts'
import { openStore } from '#stack/store/store.ts'
import { firstContent } from '#stack/testing/testStack.ts'

const { file, execArgv } = program(join(import.meta.dirname, 'moveDatabase.ts'))
const run = promisify(execFile)

const moveDatabase = (env: Record<string, string>) =>
  run(process.execPath, [...execArgv, file], {
    env: { PATH: process.env['PATH'], ...env },
  })

test('a console and a stack go on where their files ended, and the files are kept', { timeout: 120_000 }, async () => {
  const upstream = await startUpstream(answerJson({ data: { id: 'x1', name: 'Board', tiles: [] } }))
  const before = await startTestGateway(upstream)
  const dataDir = join(before.folder, 'data')
  const write = (gateway: typeof before) =>
    gateway.call('POST', '/api/c/oss/stack/dashboards', { name: 'Board', tiles: [] }, { cookie: before.cookie })
  expect((await write(before)).status).toBe(200)
  const person = { name: 'Mira', email: 'mira@example.com', role: 'viewer', roles: {} }
  expect((await before.call('POST', '/api/people', person)).status).toBe(200)
  const connection = { name: 'Own', variant: 'openSource', baseUrl: upstream.url, allowPrivate: true, stage: 'staging' }
  const own = await before.call('POST', '/api/connections', { ...connection, accessKey: 'key-of-the-connection-1234' })
  const stackFile = await openStore({ file: join(dataDir, 'stack.db') })
  const identity = await firstStart(stackFile, firstContent)
  await stackFile.close()

  const used = await newDatabase()
  const DATABASE_URL = await newDatabase()
  const files = () => readdirSync(dataDir).filter((name) => /^(console|stack)\.db/.test(name))
  await before.stop()

  // A server with other records is refused.
  const other = await openDatabase('/nowhere', used)
  await other.write({ sql: "INSERT INTO lists (deployment, kind) VALUES ('d', 'k')" })
  await other.close()
  await expect(moveDatabase({ DATA_DIR: dataDir, CONSOLE_DATABASE_URL: used })).rejects.toMatchObject({
    stderr: 'The database has other records already. Nothing was moved.\n',
  })
  expect(files()).toContain('console.db')

  const { stdout } = await moveDatabase({ DATA_DIR: dataDir, DATABASE_URL })
  expect(stdout).toMatch(
    /^Moved \d+ rows of \d+ tables of the console, and compared them\.\nMoved \d+ rows of \d+ tables of the stack,/,
  )
  expect(stdout).toContain('The earlier records are kept in console.db.moved and stack.db.moved.')
  expect(files()).toEqual(expect.arrayContaining(['console.db.moved', 'stack.db.moved']))
  expect(files().filter((name) => !name.includes('.moved'))).toEqual([])

  // As if it had been killed before it put the file aside.
  copyFileSync(join(dataDir, 'console.db.moved'), join(dataDir, 'console.db'))
  const again = await moveDatabase({ DATA_DIR: dataDir, DATABASE_URL })
  expect(again.stdout).toMatch(/^The server has \d+ rows of \d+ tables of the console already\./)
  expect(again.stdout).toContain('The earlier records are kept in console.db.moved. ')
  expect(existsSync(join(dataDir, 'console.db'))).toBe(false)

  const after = await startTestGateway(upstream, { dataDir, databaseUrl: DATABASE_URL })
  const ask = async (path: string) => (await after.call('GET', path, undefined, { cookie: before.cookie })).json
  expect(await ask('/api/session')).toMatchObject({ signedIn: true })
  expect(await ask('/api/people')).toMatchObject([{ name: 'Mira' }])
  expect((await write(after)).status).toBe(200)
  await ask(`/api/c/${String(own.json['id'])}/stack/dashboards`)
  expect(upstream.hits.at(-1)?.headers.authorization).toBe('Bearer key-of-the-connection-1234')
  expect((await ask('/api/connections/oss/history'))['items']).toHaveLength(2)
  expect(await ask('/api/audit/verification')).not.toHaveProperty('fault')
  const stack = await openStore({ url: DATABASE_URL, dataDir })
  expect(await firstStart(stack, firstContent)).toEqual(identity)
  await stack.close()
  await after.close()
  rmSync(before.folder, { recursive: true, force: true })
  await upstream.close()
})
