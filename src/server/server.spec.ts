import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { pageSources } from './build.ts'
import { fingerprintOf } from './fingerprint.js'
import { type Heartbeat, delayBefore, superviseStack, type StackSupervisor } from './stackSupervisor.ts'
import { budgetsFor, seedsFor } from './seeds.ts'
import { readSettings, StartError } from './serverSettings.ts'
import { welcome } from './welcome.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'server-'))

function put(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

describe('build fingerprint', () => {
  test('changes with the sources of the page, and with nothing else', () => {
    const root = folder()
    put(root, 'src/console/main.tsx', 'a')
    put(root, 'src/contract/stack/alerts.ts', 'b')
    put(root, 'package-lock.json', '{}')
    const first = fingerprintOf(root, pageSources)
    put(root, 'src/console/main.spec.tsx', 'test')
    put(root, 'src/gateway/gateway.ts', 'server')
    put(root, 'README.md', 'words')
    expect(fingerprintOf(root, pageSources)).toBe(first)
    for (const file of [
      'src/console/main.tsx',
      'src/contract/stack/alerts.ts',
      'src/build/pageChunks.ts',
      'public/x.svg',
      'index.html',
      'vite.config.ts',
    ]) {
      const before = fingerprintOf(root, pageSources)
      put(root, file, 'changed')
      expect(fingerprintOf(root, pageSources), file).not.toBe(before)
    }
  })

  test('covers every folder that the page imports from', () => {
    const page = join(import.meta.dirname, '../console')
    const files = readdirSync(page, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
    const imported = new Set(
      files
        .filter((file) => !/\.spec\.tsx?$|(^|\/)testing\//.test(file))
        .flatMap((file) => [...readFileSync(join(page, file), 'utf8').matchAll(/'#(\w+)\//g)])
        .map(([, layer]) => `src/${layer}`),
    )
    expect(imported.size).toBeGreaterThan(1)
    expect(pageSources).toEqual(expect.arrayContaining([...imported]))
  })

  test('changes with a renamed file', () => {
    const [one, two] = [folder(), folder()]
    put(one, 'src/console/a.ts', 'x')
    put(two, 'src/console/b.ts', 'x')
    expect(fingerprintOf(one, pageSources)).not.toBe(fingerprintOf(two, pageSources))
  })
})

describe('settings', () => {
  test('have defaults, and treat an empty variable as not set', () => {
    expect(readSettings({ UI_PORT: '', PUBLIC_URL: '' })).toMatchObject({
      HOST: '127.0.0.1',
      UI_PORT: 8080,
      DATA_DIR: '.data',
      ALLOWED_HOSTS: [],
      STACK: 'on',
    })
  })

  test('a base path is that of the public URL, which may leave it out', () => {
    const at = (PUBLIC_URL: string) => readSettings({ PUBLIC_URL, BASE_PATH: '/console' }).BASE_PATH
    expect([at('https://a.example'), at('https://a.example/console')]).toEqual(['/console', '/console'])
    expect(() => at('https://a.example/other')).toThrow(/^PUBLIC_URL must be .* that of BASE_PATH\.$/)
  })

  test('read a list of hosts', () => {
    expect(readSettings({ ALLOWED_HOSTS: 'a.example:8080, b.example [::1]:9' }).ALLOWED_HOSTS).toEqual([
      'a.example:8080',
      'b.example',
      '[::1]:9',
    ])
  })

  test.each([
    ['UI_PORT', '0'],
    ['UI_PORT', 'http'],
    ['ALLOWED_HOSTS', 'http://a.example'],
    ['PUBLIC_URL', 'nowhere'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['BASE_PATH', 'other'],
    ['BASE_PATH', '/other/'],
    ['BASE_PATH', '/a//b'],
    ['CONSOLE_PASSWORD', 'seven77'],
    ['CONSOLE_SECRET', 'too short'],
    ['STACK', 'no'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s is reported in one line with its name but not its value', (name, value) => {
    const refused = () => readSettings({ [name]: value })
    expect(refused).toThrow(StartError)
    expect(refused).toThrow(new RegExp(`^${name} must be [^\n]+\\.$`))
    if (value.length > 3) expect(refused).not.toThrow(new RegExp(`must be.*${value.replace(/[()]/g, '.')}`))
  })
})

const message = {
  type: 'ready' as const,
  credentials: {
    personalAccessKey: 'personal',
    ingestionKey: 'ingestion',
    keyId: 'id',
    keySecret: 'secret',
    organizationId: 'o',
    serviceId: 's',
  },
  ports: { api: 18_161, otlpHttp: 1, otlpGrpc: 2 },
}

test.each(['0.0.0.0', '::', '127.0.0.1'])('connections to a stack on %s follow its port, keys and limits', (HOST) => {
  const settings = readSettings({ HOST, RATE_LIMIT_MANAGED: '0', RATE_LIMIT_OPEN_SOURCE: '500' })
  expect(seedsFor(message, settings)).toMatchObject([
    { variant: 'openSource', baseUrl: 'http://127.0.0.1:18161', accessKey: 'personal' },
    { variant: 'managed', baseUrl: 'http://127.0.0.1:18161', keyId: 'id', keySecret: 'secret' },
  ])
  expect(budgetsFor(message, settings)).toEqual({
    'http://127.0.0.1:18161': {
      openSource: { limit: 500, window: 60_000 },
      managed: { limit: Number.POSITIVE_INFINITY, window: 10_000 },
    },
  })
})

test('connections to several stacks lead to the balancer in front of them', () => {
  const settings = readSettings({ STACK_URL: 'https://api.example/' })
  expect(seedsFor(message, settings).map(({ baseUrl }) => baseUrl)).toEqual([
    'https://api.example',
    'https://api.example',
  ])
  expect(Object.keys(budgetsFor(message, settings))).toEqual(['https://api.example'])
})

describe('welcome message', () => {
  const settings = readSettings({ HOST: '::1', DATA_DIR: 'data' })

  test('names every address', () => {
    const text = welcome('http://console/sign-in', settings, message)
    for (const address of ['http://console/sign-in', 'http://[::1]:18161', 'http://[::1]:1 ', 'http://[::1]:2 '])
      expect(text).toContain(address)
    expect(text).toContain(join('data', 'credentials.json'))
  })

  test('names no unused port, and says what would help', () => {
    const text = welcome('link', settings, { ...message, ports: { api: 5, otlpHttp: 0, otlpGrpc: 0 } })
    expect(text).not.toMatch(/:0\b/)
    expect(text).toContain('CLICKHOUSE_URL')
    expect(welcome('link', settings, null)).not.toMatch(/Telemetry|API|Keys/)
  })
})

describe('supervised stack', () => {
  let stack: StackSupervisor | undefined
  afterEach(() => stack?.stop())

  /** A process that counts its starts in a file, reports that it is ready, and then runs the given code. */
  function program(after: string, heartbeat?: Heartbeat) {
    const root = folder()
    const starts = join(root, 'starts')
    writeFileSync(starts, '')
    put(
      root,
      'main.mjs',
      `import { appendFileSync, readFileSync } from 'node:fs'
       appendFileSync(${JSON.stringify(starts)}, process.pid + '\\n')
       const started = readFileSync(${JSON.stringify(starts)}, 'utf8').trim().split('\\n').length
       const ready = () => process.send(${JSON.stringify(message)})
       process.on('disconnect', () => process.exit(0))
       ${after}`,
    )
    const said: string[] = []
    stack = superviseStack(join(root, 'main.mjs'), (line) => void said.push(line), heartbeat)
    return { ...stack, said, pids: () => readFileSync(starts, 'utf8').trim().split('\n').filter(Boolean) }
  }

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((next) => setTimeout(next, 20))
  }

  const isAlive = (pid: string) => {
    try {
      return process.kill(Number(pid), 0)
    } catch {
      return false
    }
  }

  test('prints its keys when it is ready, and stops on request', async () => {
    const { ready, pids } = program(`process.on('SIGTERM', () => process.exit(0)); ready()`)
    expect(await ready).toEqual(message)
    await stack?.stop()
    expect(pids().map(isAlive)).toEqual([false])
  })

  test('tells its keys and ports before it listens, if they are known by then', async () => {
    const early = program(
      `process.on('SIGTERM', () => process.exit(0))
       process.send(${JSON.stringify({ ...message, type: 'opened' })})`,
    )
    expect(await early.opened).toMatchObject({ credentials: message.credentials, ports: message.ports })
    // Nothing says that it listens.
    expect(await Promise.race([early.ready, Promise.resolve('later')])).toBe('later')
    await stack?.stop()
    const late = program(`process.on('SIGTERM', () => process.exit(0)); ready()`)
    expect(await late.opened).toEqual(message)
  })

  test('fails for those who wait if it exits before it listens', async () => {
    const { opened, ready } = program(
      `process.send(${JSON.stringify({ ...message, type: 'opened' })}, () => process.exit(3))`,
    )
    await opened
    await expect(ready).rejects.toThrow('The stack exited while starting (3).')
  })

  test('is restarted when it exits', async () => {
    const { ready, said, pids } = program(
      `ready(); setTimeout(() => started < 2 && process.kill(process.pid, 'SIGKILL'), 50)`,
    )
    await ready
    await until(() => pids().length === 2)
    expect(said).toEqual(['The stack exited (SIGKILL) and was restarted.'])
    await stack?.stop()
    expect(pids().map(isAlive)).toEqual([false, false])
  })

  test('reports rotated keys, and those of a restart', async () => {
    const { ready } = program(
      `const credentials = { ...${JSON.stringify(message.credentials)}, personalAccessKey: 'rotated ' + started }
       process.on('SIGTERM', () => process.exit(0))
       ready()
       setTimeout(() => {
         process.send({ type: 'credentials', credentials })
         if (started < 2) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50)
       }, 50)`,
    )
    const keys: string[] = []
    stack?.onCredentials(({ personalAccessKey }) => void keys.push(personalAccessKey))
    await ready
    await until(() => keys.includes('rotated 2'))
    expect(keys).toEqual(['personal', 'rotated 1', 'personal', 'rotated 2'])
  })

  describe('stack with a heartbeat', () => {
    const heartbeat = { every: 50, missedBeats: 10, missedAtStart: 400 }
    const beats = `setInterval(() => process.send({ type: 'beat' }), 50)`
    const alive = `${beats}; process.on('SIGTERM', () => process.exit(0)); ready()`

    test('is killed and restarted if it does not respond', async () => {
      const { ready, said, pids } = program(
        `process.on('SIGTERM', () => {}); if (started > 1) { ${alive} } else { ${beats}; ready(); setTimeout(() => { for (;;); }, 200) }`,
        heartbeat,
      )
      await ready
      await until(() => pids().length === 2)
      expect(said).toEqual(['The stack exited (it did not respond) and was restarted.'])
      expect(isAlive(pids()[0]!)).toBe(false)
    })

    test('is killed at once if it says that its engine has stopped', async () => {
      const { ready, said, pids } = program(
        `process.on('SIGTERM', () => process.exit(0)); ready()
         if (started < 2) { process.on('exit', () => { for (;;); }); process.send({ type: 'engineStopped' }, () => process.exit(1)) }
         else ${beats}`,
        { ...heartbeat, missedAtStart: 1_000_000 },
      )
      await ready
      await until(() => pids().length === 2)
      expect(said).toEqual(['The stack exited (its telemetry engine stopped) and was restarted.'])
    })

    test('is killed if it aborts but does not exit', async () => {
      const engine = pathToFileURL(createRequire(import.meta.url).resolve('chdb')).href
      const { ready, pids } = program(
        `const { Session } = await import(${JSON.stringify(engine)})
         const session = new (Session ?? (await import(${JSON.stringify(engine)})).default.Session)(${JSON.stringify(folder())})
         if (started > 1) { ${alive} } else { ${beats}; ready(); setTimeout(() => process.abort(), 200) }`,
        { ...heartbeat, missedBeats: 20 },
      )
      await ready
      await until(() => pids().length === 2)
      expect(isAlive(pids()[0]!)).toBe(false)
    })

    test('survives suspension and occasional slowness', async () => {
      const { ready, pids } = program(
        `${alive}; setInterval(() => { const end = Date.now() + 150; while (Date.now() < end); }, 300)`,
        heartbeat,
      )
      await ready
      const [pid] = pids()
      process.kill(Number(pid), 'SIGSTOP')
      // There are no checks while this process is suspended as well.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500)
      process.kill(Number(pid), 'SIGCONT')
      await new Promise((wake) => setTimeout(wake, 1500))
      expect(pids()).toEqual([pid])
      expect(isAlive(pid!)).toBe(true)
    })
  })

  test('is restarted at once after a crash, then with growing delays up to a limit', () => {
    expect([0, 1, 2, 3, 6, 7, 50].map(delayBefore)).toEqual([0, 500, 1000, 2000, 16_000, 30_000, 30_000])
  })

  test('is not restarted forever if it cannot start and said why', async () => {
    const { ready, pids } = program('process.exit(1)')
    await expect(ready).rejects.toThrow(StartError)
    expect(pids()).toHaveLength(1)
  })

  test('reports how it exited', async () => {
    const { ready } = program(`process.kill(process.pid, 'SIGKILL')`)
    await expect(ready).rejects.toThrow(/SIGKILL/)
  })
})
