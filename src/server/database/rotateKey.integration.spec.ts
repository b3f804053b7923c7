import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startTestGateway, startUpstream } from '#gateway/testing/testGateway.ts'
import { program } from '#node/testing/program.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'

const run = promisify(execFile)
const [first, second] = ['the first console secret', 'the second console secret']
const { file, execArgv } = program(resolve(import.meta.dirname, '../rotateKey.ts'))

test('the key of a database on a server is replaced once no console uses it', { timeout: 120_000 }, async () => {
  const upstream = await startUpstream()
  const databaseUrl = await newDatabase()
  const rotate = () =>
    run(process.execPath, [...execArgv, file], {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: mkdtempSync(join(tmpdir(), 'rotate-key-')),
        CONSOLE_DATABASE_URL: databaseUrl,
        CONSOLE_SECRET: first,
        NEW_CONSOLE_SECRET: second,
      },
    })
  const before = await startTestGateway(upstream, { databaseUrl, secret: first })
  await expect(rotate()).rejects.toMatchObject({
    stderr: expect.stringMatching(/^A console uses the database of CONSOLE_DATABASE_URL\. /),
  })
  await before.close()
  const { stdout } = await rotate()
  expect(stdout).toBe(
    'Encrypted 4 stored keys with a new key.\nFrom now on, start the console with the new CONSOLE_SECRET.\n',
  )
  await expect(startTestGateway(upstream, { databaseUrl, secret: first, seeds: [] })).rejects.toThrow(
    /encrypted with another CONSOLE_SECRET/,
  )
  const after = await startTestGateway(upstream, { databaseUrl, secret: second, seeds: [] })
  expect((await after.call('GET', '/api/c/oss/stack/dashboards')).status).toBe(200)
  await after.close()
  await upstream.close()
})
