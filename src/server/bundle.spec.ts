import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { consoleCommand } from '#node/consoleCommand.ts'
import { bundle, bundleServers, consolePrograms, servers } from './bundle.js'

function put(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

/** A project with two servers that print a number from a file that both import. */
function project(): string {
  const root = mkdtempSync(join(tmpdir(), 'bundle-'))
  put(root, 'package.json', '{ "type": "module", "imports": { "#contract/*": "./src/contract/*" } }')
  put(root, 'src/contract/number.ts', 'export const number: number = 1')
  put(root, 'src/server.ts', `import { number } from '#contract/number.ts'\nconsole.log('server', number)`)
  put(root, 'src/node/process/workerHost.mjs', '')
  put(root, 'src/node/notifications/renderWorker.ts', '')
  put(root, 'src/gateway/recordFiles/recordZipWorker.ts', '')
  for (const name of [
    'cli/main',
    'server/backup/backup',
    'server/backup/restore',
    'server/makeAdmin',
    'server/database/moveDatabase',
    'server/apiKeys/makeAdminKey',
    'server/rotateKey',
    'server/sample/removeSample',
    'server/indexes/telemetryIndexes',
    'server/verifyAudit',
  ]) {
    put(root, `src/${name}.ts`, '')
  }
  put(root, 'src/stack/startup/main.ts', `import { number } from '#contract/number.ts'\nconsole.log('stack', number)`)
  return root
}

const run = (file: string) => execFileSync(process.execPath, [file], { encoding: 'utf8' }).trim()

test('bundles both servers once for each version of the sources, and keeps the last three', async () => {
  const root = project()
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  const first = await bundleServers(root, say)
  expect([run(join(first, 'server.js')), run(join(first, 'stack.js'))]).toEqual(['server 1', 'stack 1'])
  expect(await bundleServers(root, say)).toBe(first)
  expect(said).toHaveLength(1)

  const versions = [first]
  for (const number of [2, 3, 4]) {
    put(root, 'src/contract/number.ts', `export const number: number = ${number}`)
    versions.push(await bundleServers(root, say))
    expect(run(join(versions.at(-1)!, 'server.js'))).toBe(`server ${number}`)
  }
  expect(readdirSync(join(root, 'dist-server')).map((name) => join(root, 'dist-server', name))).toEqual(
    expect.arrayContaining(versions.slice(1)),
  )
  expect(readdirSync(join(root, 'dist-server'))).toHaveLength(3)
})

test('two processes that start at the same time share one bundle', async () => {
  const root = project()
  const [one, other] = await Promise.all([bundleServers(root, () => {}), bundleServers(root, () => {})])
  expect(one).toBe(other)
  expect(run(join(one, 'stack.js'))).toBe('stack 1')
  expect(readdirSync(join(root, 'dist-server'))).toHaveLength(1)
})

test('a bundle has the packages of its servers, but neither native ones nor those of an installed package', async () => {
  const root = project()
  for (const name of ['words', 'libsql']) {
    put(root, `node_modules/${name}/package.json`, JSON.stringify({ name, type: 'module', main: 'index.js' }))
    put(root, `node_modules/${name}/index.js`, `export const ${name} = '${name} of the project'`)
  }
  put(
    root,
    'src/server.ts',
    `import { words } from 'words'\nimport { libsql } from 'libsql'\nconsole.log(words, libsql)`,
  )
  const built = await bundleServers(root, () => {})
  const installed = join(root, 'dist-server/packaged')
  await bundle(root, servers, installed, { withPackages: false })
  for (const name of ['words', 'libsql']) {
    put(root, `node_modules/${name}/index.js`, `export const ${name} = '${name} at the start'`)
  }
  expect(run(join(built, 'server.js'))).toBe('words of the project libsql at the start')
  expect(run(join(installed, 'server.js'))).toBe('words at the start libsql at the start')
})

test('an installed package has no sources, and runs the servers that it came with', async () => {
  const root = mkdtempSync(join(tmpdir(), 'package-'))
  const said: string[] = []
  expect(await bundleServers(root, (line) => said.push(line))).toBe(join(root, 'dist-server/packaged'))
  expect(said).toEqual([])
})

const checkout = resolve(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))

test.each(['restore', 'rotate-key', 'move-database'] as const)('%s is a command of both installations', (name) => {
  expect(consoleCommand(name)).toBe(`npm run ${name}`)
  const [program, command = ''] = consoleCommand(name, mkdtempSync(join(tmpdir(), 'package-'))).split(' ')
  expect(program).toBe('stack-console')
  const file = Object.entries(servers).find(([key]) => key === consolePrograms.get(command))?.[1]
  expect(scripts[name]).toBe(`tsx ${file}`)
})

test('no message names a script that only a checkout has', () => {
  const folders = ['node', 'gateway', 'stack', 'server', 'cli', 'contract', 'domain', 'console'].map((name) =>
    join(checkout, 'src', name),
  )
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  const sources = files.filter((file) => /(?<!\.spec)\.tsx?$/.test(file) && !file.includes('/testing/'))
  const messages = sources.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /npm run (?!build)/.test(line) && !/^\s*(\/?\*|\/\/)/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(messages.filter((line) => !line.includes('consoleCommand.ts'))).toEqual([])
})
