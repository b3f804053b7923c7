import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { program } from '#node/testing/program.ts'
import { startTestGateway, startUpstream } from '#gateway/testing/testGateway.ts'

const { file, execArgv } = program(join(import.meta.dirname, 'makeAdmin.ts'))
const run = promisify(execFile)
const makeAdmin = (env: Record<string, string>) =>
  run(process.execPath, [...execArgv, file], {
    env: { PATH: process.env['PATH'], ...env },
  })

test('a link opens the running console as administrator, once', { timeout: 60_000 }, async () => {
  const upstream = await startUpstream()
  const gateway = await startTestGateway(upstream)
  try {
    const settings = { DATA_DIR: join(gateway.folder, 'data'), PUBLIC_URL: 'https://console.example' }
    const underPath = await makeAdmin({ ...settings, BASE_PATH: '/console' })
    expect(underPath.stdout).toContain('https://console.example/console/sign-in#token=')
    const { stdout } = await makeAdmin(settings)
    const token = /https:\/\/console\.example\/sign-in#token=([\w-]{43})/.exec(stdout)?.[1]
    const signIn = () => gateway.call('POST', '/api/session', { token }, { cookie: '' })
    const entry = await signIn()
    expect(entry.json['signedIn']).toBe(true)
    const cookie = entry.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await gateway.call('GET', '/api/people', undefined, { cookie })).status).toBe(200)
    expect((await signIn()).code).toBe('signedOut')
  } finally {
    await gateway.close()
    await upstream.close()
  }
})

test('a folder without a console is refused in one line', { timeout: 60_000 }, async () => {
  await expect(makeAdmin({ DATA_DIR: '/nonexistent' })).rejects.toMatchObject({
    stderr: 'DATA_DIR /nonexistent has no console.db. Set DATA_DIR to the folder of the console.\n',
  })
})
