/** The program `stack-console` against running stacks: records as files, and back. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestStack, type TestStack } from '#stack/testing/testStack.ts'
import { runCommandLine } from '../cli/run.ts'
import { bundleServers, consolePrograms } from '../server/bundle.js'
import { startEnvironments } from '../server/testing/environments.ts'

const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'src/commandLine.js')

interface Ended {
  code: number
  out: string
  err: string
}

type Env = Record<string, string>

/** Runs a command in this process: starting the program takes longer than most commands. */
async function run(env: Env, args: readonly string[]): Promise<Ended> {
  const texts = { out: '', err: '' }
  const code = await runCommandLine(args, {
    env,
    out: (text) => void (texts.out += text),
    err: (text) => void (texts.err += text),
    isInteractive: false,
  })
  return { code, ...texts }
}

/** @param killAfter ends the process, as `kill -9` does, once it has said this many lines */
function runProgram(env: Env, args: readonly string[], killAfter = Number.POSITIVE_INFINITY): Promise<Ended> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [program, ...args], { env: { PATH: process.env['PATH'], ...env } })
    const texts = { out: '', err: '' }
    child.stdout.on('data', (piece: Buffer) => (texts.out += piece.toString()))
    child.stderr.on('data', (piece: Buffer) => {
      texts.err += piece.toString()
      if (texts.err.split('\n').length > killAfter) child.kill('SIGKILL')
    })
    child.stdin.end()
    child.on('close', (code) => done({ code: code ?? -1, ...texts }))
  })
}

function openSource({ url, identity }: TestStack): Env {
  return { STACK_URL: url, STACK_API_KEY: identity.personalAccessKey }
}

function managed({ url, identity }: TestStack): Env {
  const { organizationId, serviceId, keyId, keySecret } = identity
  return {
    STACK_URL: url,
    STACK_ORGANIZATION_ID: organizationId,
    STACK_SERVICE_ID: serviceId,
    STACK_KEY_ID: keyId,
    STACK_KEY_SECRET: keySecret,
  }
}

/** Two dashboards of the same name, an alert on a tile of the second, and a webhook with a secret address. */
async function fill({ openSource: call, sourceIds, webhookId }: TestStack): Promise<void> {
  for (const where of ['first', 'second']) {
    const config = { displayType: 'line', sourceId: sourceIds['log'], select: [{ aggFn: 'count', where }] }
    const tiles = [{ name: 'Errors: "all"', x: 0, y: 0, w: 6, h: 3, config }]
    const text = { displayType: 'markdown', markdown: '# Runbook\n\n- yes\n- "no": 1\n' }
    const created = await call('POST', '/dashboards', {
      name: 'Shop #1',
      tiles: [...tiles, { name: 'Text', x: 0, y: 3, w: 6, h: 3, config: text }],
    })
    expect(created.status, created.text).toBe(200)
    const { id, tiles: stored } = created.json.data
    const alert = { source: 'tile', dashboardId: id, tileId: stored[0].id, threshold: 4, thresholdType: 'above' }
    const channel = { type: 'webhook', webhookId }
    if (where === 'second') await call('POST', '/alerts', { ...alert, name: 'Too many', interval: '5m', channel })
  }
  const url = 'https://hooks.example.com/services/T0/SECRET-TOKEN'
  await call('POST', '/webhooks', { name: 'On call', service: 'generic', url })
}

/** A deployment that drops a field of what it is sent, as older versions do. */
async function startForgetfulProxy(upstream: string, field: string) {
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await buffer(request)).toString()
      const kept = body === '' ? undefined : JSON.stringify({ ...Object(JSON.parse(body)), [field]: undefined })
      const { authorization = '', 'content-type': type } = request.headers
      const answer = await fetch(`${upstream}${request.url}`, {
        method: request.method ?? 'GET',
        headers: { authorization, ...(type !== undefined && { 'content-type': type }) },
        ...(kept !== undefined && { body: kept }),
      })
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      response.end(await answer.text())
    })()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = Object(server.address())
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((done) => server.close(done)) }
}

let dir: string
beforeAll(() => bundleServers(root, () => {}))
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'as-code-'))
  return () => rmSync(dir, { recursive: true, force: true })
})

const alertFile = () => join(dir, 'alerts/too-many.yaml')
const edit = (path: string, from: string, to: string) => {
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
}

describe.each([
  ['open source', openSource],
  ['managed', managed],
])('on the %s variant', (_, envOf) => {
  let stack: TestStack
  let env: Env
  beforeAll(async () => {
    stack = await startTestStack()
    env = envOf(stack)
    await fill(stack)
  })
  afterAll(() => stack.close())
  const alert = async () => (await stack.openSource('GET', '/alerts')).json.data[0]

  test('one line is changed, planned and applied; then nothing differs', { timeout: 60_000 }, async () => {
    expect(await run(env, ['export', '--dir', dir])).toMatchObject({ code: 0, out: '' })
    expect(readdirSync(join(dir, 'dashboards'))).toEqual(['first.yaml', 'shop-1-2.yaml', 'shop-1.yaml'])
    expect(readFileSync(alertFile(), 'utf8')).toMatch(/^dashboard: "Shop #1( \[2\])?"$/m)
    expect(await run(env, ['drift', '--dir', dir])).toMatchObject({ code: 0 })
    edit(alertFile(), 'threshold: 4', 'threshold: 9')
    const plan = await runProgram(env, ['plan', '--dir', dir])
    expect(plan).toMatchObject({ code: 0, err: '' })
    expect(plan.out).toContain('~ update alert "Too many"\n    threshold: 4 -> 9\n')
    expect(plan.out).toContain('0 to create, 1 to update, 0 to delete')
    expect((await runProgram(env, ['drift', '--dir', dir])).code).toBe(2)
    expect(await run(env, ['apply', '--dir', dir, '--yes'])).toMatchObject({ code: 0 })
    expect(await alert()).toMatchObject({ threshold: 9 })
    expect((await run(env, ['drift', '--dir', dir])).code).toBe(0)
    // And back.
    expect((await run(env, ['history', '--dir', dir])).out).toMatch(/^\S+ {2}1 of 1 records/)
    expect((await run(env, ['restore', '--dir', dir, '--yes'])).code).toBe(0)
    expect(await alert()).toMatchObject({ threshold: 4 })
  })

  test('fields that the deployment did not keep are named', { timeout: 60_000 }, async () => {
    const forgetful = await startForgetfulProxy(stack.url, 'note')
    const through = { ...env, STACK_URL: forgetful.url }
    await run(through, ['export', '--dir', dir])
    writeFileSync(alertFile(), readFileSync(alertFile(), 'utf8').replace(/^note:.*$/m, 'note: Call the night shift'))
    const applied = await run(through, ['apply', '--dir', dir, '--yes'])
    await forgetful.close()
    expect(applied.err).toContain('Too many: the deployment did not keep note\n')
    expect(applied.code).toBe(0)
  })

  test('everything is printed as Terraform configuration, without secrets', { timeout: 60_000 }, async () => {
    const { code, out } = await run(env, ['terraform'])
    expect(code).toBe(0)
    expect(out).toContain('resource "clickhouse_clickstack_alert" "too_many"')
    expect(out.match(/^import \{$/gm)?.length).toBeGreaterThanOrEqual(8)
    expect(out).not.toContain('SECRET-TOKEN')
  })

  test('a plan in a file is carried out only if nothing changed since', { timeout: 60_000 }, async () => {
    await run(env, ['export', '--dir', dir])
    edit(alertFile(), 'threshold: 4', 'threshold: 5')
    const file = join(dir, 'plan.json')
    expect((await run(env, ['plan', '--dir', dir, '--out', file])).code).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const stored = await alert()
    await stack.openSource('PUT', `/alerts/${stored.id}`, { ...stored, threshold: 6 })
    const stale = await run(env, ['apply', file, '--dir', dir, '--yes'])
    expect(stale).toMatchObject({ code: 1, out: '' })
    expect(stale.err).toContain('The deployment changed after the plan was made: Too many. Nothing was written.')
    await stack.openSource('PUT', `/alerts/${stored.id}`, stored)
    expect((await run(env, ['apply', file, '--dir', dir, '--yes'])).code).toBe(0)
    expect(await alert()).toMatchObject({ threshold: 5 })
    await stack.openSource('PUT', `/alerts/${stored.id}`, stored)
  })
})

describe('between two deployments', () => {
  let from: TestStack
  let to: TestStack
  beforeAll(async () => {
    from = await startTestStack()
    to = await startTestStack()
    await fill(from)
  })
  afterAll(() => Promise.all([from.close(), to.close()]))

  test(
    'files of one are applied to the other by names, also after kills, without doubles',
    { timeout: 120_000 },
    async () => {
      await run(openSource(from), ['export', '--dir', dir])
      const missing = await run(openSource(to), ['plan', '--dir', dir])
      expect(missing).toMatchObject({ code: 1, out: '' })
      expect(missing.err).toMatch(/webhooks\/on-call\.yaml:\d+:\d+: set STACK_WEBHOOK_URL_ON_CALL in the environment/)
      const env = { ...openSource(to), STACK_WEBHOOK_URL_ON_CALL: 'https://hooks.example.com/services/T0/OTHER-TOKEN' }
      for (const lines of [1, 2, 3, 4]) await runProgram(env, ['apply', '--dir', dir, '--yes'], lines)
      expect(await run(env, ['apply', '--dir', dir, '--yes'])).toMatchObject({ code: 0 })
      expect((await run(env, ['drift', '--dir', dir])).code).toBe(0)
      const count = async (stack: TestStack, path: string) => (await stack.openSource('GET', path)).json.data.length
      for (const path of ['/dashboards', '/alerts', '/webhooks', '/sources']) {
        expect(await count(to, path), path).toBe(await count(from, path))
      }
    },
  )

  test('--prune deletes what has no file, and only then', { timeout: 60_000 }, async () => {
    const env = openSource(to)
    await run(env, ['export', '--dir', dir])
    await to.openSource('POST', '/dashboards', { name: 'By hand', tiles: [] })
    expect((await run(env, ['plan', '--dir', dir])).out).toContain('No changes')
    expect((await run(env, ['plan', '--dir', dir, '--prune'])).out).toContain('- delete dashboard "By hand"')
    expect((await run(env, ['apply', '--dir', dir, '--prune', '--yes'])).code).toBe(0)
    expect((await run(env, ['drift', '--dir', dir])).code).toBe(0)
  })

  test('secrets are not printed, and not written unless somebody asks for it', { timeout: 60_000 }, async () => {
    const env = openSource(from)
    await run(env, ['export', '--dir', dir])
    const file = join(dir, 'webhooks/on-call.yaml')
    expect(readFileSync(file, 'utf8')).toContain('url: ${STACK_WEBHOOK_URL_ON_CALL}')
    edit(file, '${STACK_WEBHOOK_URL_ON_CALL}', 'https://hooks.example.com/services/T0/NEW-TOKEN')
    for (const args of [['plan'], ['diff'], ['plan', '--json']]) {
      const { out, err } = await run(env, [...args, '--dir', dir])
      expect(out).toContain('url')
      expect(out + err).not.toContain('-TOKEN')
    }
    await run(env, ['export', '--dir', dir, '--with-secrets'])
    expect(readFileSync(file, 'utf8')).toContain('SECRET-TOKEN')
  })
})

test(
  'through a console, apply writes with the role of a token, and waits where changes need approval',
  { timeout: 60_000 },
  async () => {
    const environments = await startEnvironments()
    const { call, staging, production, url } = environments
    const password = 'a-password-of-this-test'
    const [jana] = await Promise.all(
      ['jana', 'tom'].map(async (name) => {
        const email = `${name}@example.com`
        const { json } = await call('POST', '/api/people', { name, email, role: 'operator' })
        await call('POST', '/api/session', { invitation: json.link.split('#invitation=')[1], password }, { cookie: '' })
        return { email, password }
      }),
    )
    const { cookie } = await call('POST', '/api/session', jana, { cookie: '' })
    const scope = { name: 'ci', role: 'operator', connections: null, days: 1 }
    const { json: token } = await call('POST', '/api/account/tokens', scope, { cookie })
    expect((await call('PUT', '/api/connections/production/approval', { twoPersonApproval: true })).status).toBe(200)
    mkdirSync(join(dir, 'dashboards'), { recursive: true })
    writeFileSync(join(dir, 'dashboards/new.yaml'), 'name: From a file\ntiles: []\n')
    const to = (connection: string) => ({
      STACK_CONSOLE_URL: url(),
      STACK_CONSOLE_TOKEN: token.secret,
      STACK_CONSOLE_CONNECTION: connection,
    })
    const names = async (stack: TestStack) =>
      (await stack.openSource('GET', '/dashboards')).json.data.map((one: { name: string }) => one.name)

    const waiting = await runProgram(to('production'), ['apply', '--dir', dir, '--yes'])
    expect(waiting.code, waiting.err).toBe(3)
    expect(waiting.out).toContain('+ create dashboard "From a file"')
    expect(waiting.out).toMatch(/\/change-requests\/\w+\n$/)
    expect(waiting.err).toContain('Waits for approval as change request 1.')
    expect(await names(production)).not.toContain('From a file')
    const done = await run(to('staging'), ['apply', '--dir', dir, '--yes'])
    expect(done, done.err).toMatchObject({ code: 0, err: '1 of 1 records written.\n' })
    expect(await names(staging)).toContain('From a file')
    expect((await run({ ...to('staging'), STACK_CONSOLE_TOKEN: 'sct_other' }, ['plan', '--dir', dir])).err).toContain(
      'This token is not valid.',
    )
    expect((await run({ STACK_CONSOLE_URL: 'x' }, ['plan', '--dir', dir])).err).toContain(
      'STACK_CONSOLE_TOKEN is missing',
    )
    await environments.close()
  },
)

test('help names every command, also those of the machine, and starts none', { timeout: 60_000 }, async () => {
  const { code, out, err } = await runProgram({}, ['help'])
  expect([code, err]).toEqual([0, ''])
  for (const command of ['export', 'terraform', ...consolePrograms.keys()]) {
    expect(out).toMatch(new RegExp(`^  ${command} +\\w`, 'm'))
  }
  for (const args of [[], ['--help'], ['-h']]) expect(await runProgram({}, args)).toEqual({ code, out, err })
  const start = await runProgram({}, ['start', '--help'])
  expect(start).toMatchObject({ code: 0, out: expect.stringContaining('Usage: stack-console start') })
  expect(await run({}, ['help', 'start'])).toEqual(start)
  expect(await run({}, ['help', 'stop'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('start, backup, restore-backup, make-admin'),
  })
})

describe('a wrong call fails with its reason', () => {
  test('without a deployment, a key, a folder, or a terminal to confirm in', { timeout: 60_000 }, async () => {
    const stack = await startTestStack()
    const env = openSource(stack)
    expect((await run({}, ['plan'])).err).toContain('STACK_URL must be the address of the deployment')
    expect((await run({ STACK_URL: stack.url }, ['plan'])).err).toContain('STACK_API_KEY is missing')
    expect((await run({ ...env, STACK_API_KEY: 'other' }, ['export', '--dir', dir])).err).toContain('rejected the key')
    expect((await run(env, ['plan', '--dir', join(dir, 'none')])).err).toContain('does not exist')
    expect((await run(env, ['plam'])).err).toContain('The commands are export, diff, plan')
    await run(env, ['export', '--dir', dir])
    rmSync(join(dir, 'dashboards/first.yaml'))
    writeFileSync(join(dir, 'dashboards/new.yaml'), 'name: New\ntiles: []\n')
    const unasked = await runProgram(env, ['apply', '--dir', dir])
    expect(unasked).toMatchObject({ code: 1, err: 'Nobody can be asked here: add --yes. Nothing was written.\n' })
    expect(existsSync(join(dir, '.stack-console/applies'))).toBe(false)
    await stack.close()
  })

  test('every bad file, with its line', { timeout: 60_000 }, async () => {
    const stack = await startTestStack()
    const env = openSource(stack)
    await run(env, ['export', '--dir', dir])
    writeFileSync(join(dir, 'dashboards/first.yaml'), 'name: First\ntiles:\n  - {\n')
    writeFileSync(join(dir, 'dashboards/list.yaml'), '- one\n')
    const { code, out, err } = await run(env, ['apply', '--dir', dir, '--yes'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/dashboards\/first\.yaml:\d+:\d+: /)
    expect(err).toContain('dashboards/list.yaml:1:1: must be the fields of one record')
    await stack.close()
  })
})
