/** An organization whose last Admin key has expired gets one again, with and without a running stack. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { program } from '#node/testing/program.ts'
import { startTestStack, type TestStack } from '#stack/testing/testStack.ts'

const { file, execArgv } = program(join(import.meta.dirname, 'makeAdminKey.ts'))
const run = promisify(execFile)
const makeAdminKey = (env: Record<string, string>) =>
  run(process.execPath, [...execArgv, file], {
    env: { PATH: process.env['PATH'], ...env },
  })

let stack: TestStack
beforeEach(async () => {
  stack = await startTestStack()
})
afterEach(() => stack.close())

async function organization(pair: { keyId: string; keySecret: string }, path = '', method = 'GET', body?: unknown) {
  const authorization = `Basic ${Buffer.from(`${pair.keyId}:${pair.keySecret}`).toString('base64')}`
  const url = `/v1/organizations/${stack.identity.organizationId}${path}`
  return stack.send(method, url, { headers: { authorization }, ...(body !== undefined && { body }) })
}

test('a running stack accepts the new key, and the activity log names it', { timeout: 60_000 }, async () => {
  // A state that no request can bring about: the last Admin key ends.
  await stack.store.run('UPDATE api_keys SET document = replace(document, ?, ?)', [
    '"expireAt":null',
    '"expireAt":"2020-01-01T00:00:00.000Z"',
  ])
  expect((await organization(stack.identity)).status).toBe(401)

  const { stdout } = await makeAdminKey({ DATA_DIR: stack.dataDir })
  const text = readFileSync(join(stack.dataDir, 'credentials.json'), 'utf8')
  const credentials = z.object({ keyId: z.string(), keySecret: z.string() }).parse(JSON.parse(text))
  expect(stdout).toContain('with the role Admin')
  expect(stdout).not.toContain(credentials.keySecret)

  const keys = (await organization(credentials, '/keys')).json.result
  expect(keys.at(-1)).toMatchObject({ state: 'enabled', expireAt: null, assignedRoles: [{ roleName: 'Admin' }] })
  const [entry] = (await organization(credentials, '/activities')).json.result
  expect(entry).toMatchObject({ type: 'key_create', actorType: 'system', actorDetails: 'make-admin-key' })
  expect(entry.targetKeyId).toBe(keys.at(-1).id)
  // It may do everything again, such as deleting the one that has ended.
  expect((await organization(credentials, `/keys/${keys[0].id}`, 'DELETE')).status).toBe(200)
})

test('a folder without a stack is refused in one line, and stays empty', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-stack-'))
  await expect(makeAdminKey({ DATA_DIR: folder })).rejects.toMatchObject({
    stderr: `DATA_DIR ${folder} has no stack. Set DATA_DIR, and DATABASE_URL if it has one, as for the stack.\n`,
  })
  rmSync(folder, { recursive: true })
})
