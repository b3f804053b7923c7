// @ts-check
/**
 * Bundles the servers, with the packages that they use: Node takes a third of the time to start from a few files. In
 * JavaScript, because it runs before there is anything to translate TypeScript.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprintOf } from './fingerprint.js'

/** The programs of worker processes (`node/process/workerProcess.ts`). A bundle of what starts some has them beside it. */
export const workerPrograms = {
  workerHost: 'src/node/process/workerHost.mjs',
  renderWorker: 'src/node/notifications/renderWorker.ts',
  recordZipWorker: 'src/gateway/recordFiles/recordZipWorker.ts',
}

/** The processes of the product, what runs in their workers, and the commands of `stack-console`. */
export const servers = {
  ...workerPrograms,
  server: 'src/server.ts',
  stack: 'src/stack/startup/main.ts',
  cli: 'src/cli/main.ts',
  backup: 'src/server/backup/backup.ts',
  restore: 'src/server/backup/restore.ts',
  makeAdmin: 'src/server/makeAdmin.ts',
  makeAdminKey: 'src/server/apiKeys/makeAdminKey.ts',
  moveDatabase: 'src/server/database/moveDatabase.ts',
  rotateKey: 'src/server/rotateKey.ts',
  removeSample: 'src/server/sample/removeSample.ts',
  telemetryIndexes: 'src/server/indexes/telemetryIndexes.ts',
  verifyAudit: 'src/server/verifyAudit.ts',
}

/** Commands of `stack-console` for the machine of a console. All others are for deployments: see `cli/commandLine.ts`. */
export const consolePrograms = new Map([
  ['start', 'server'],
  ['backup', 'backup'],
  ['restore-backup', 'restore'],
  ['make-admin', 'makeAdmin'],
  ['make-admin-key', 'makeAdminKey'],
  ['move-database', 'moveDatabase'],
  ['rotate-key', 'rotateKey'],
  ['sample-remove', 'removeSample'],
  ['telemetry-indexes', 'telemetryIndexes'],
  ['verify-audit', 'verifyAudit'],
])

const sources = ['contract', 'domain', 'node', 'gateway', 'stack', 'cli', 'server', 'server.ts'].map(
  (name) => `src/${name}`,
)
/** Packages that are never part of a bundle: they look for files beside them, or only develop and build the console. */
const separatePackages = /^(chdb|libsql|lz4-napi|snappy|pg-native|vite|rolldown|@node-rs\/.+)(\/|$)/

/** Bundles to keep: an older console that still runs restarts its stack from its own. */
const kept = 3

/**
 * The servers that `npm pack` builds: an installed package has no sources to build them from.
 * @param {string} root
 */
export const packagedFolder = (root) => join(root, 'dist-server/packaged')

/**
 * The folder with the bundled servers of the present sources. It is made if there is none.
 * @param {string} root
 * @param {(line: string) => void} say
 */
export async function bundleServers(root, say) {
  if (!existsSync(join(root, 'src/server.ts'))) return packagedFolder(root)
  const folder = join(root, 'dist-server')
  const id = fingerprintOf(root, [...sources, 'package-lock.json'])
  const target = join(folder, id)
  if (existsSync(target)) return target
  say('Building the servers. This happens once for each version.')
  const unfinished = join(folder, `.unfinished-${randomUUID()}`)
  // In a process of its own: the bundler takes 500 MB of memory, which the server would keep.
  execFileSync(process.execPath, [import.meta.filename, root, unfinished], { stdio: ['ignore', 'inherit', 'inherit'] })
  try {
    renameSync(unfinished, target)
  } catch (error) {
    // Another process was first.
    if (!existsSync(target)) throw error
    rmSync(unfinished, { recursive: true, force: true })
  }
  removeOldest(folder)
  return target
}

/**
 * Bundles programs.
 * @param {string} root
 * @param {Record<string, string>} programs entry files by name, relative to `root`
 * @param {string} dir gets a `<name>.js` for each
 * @param {{ withPackages?: boolean }} options `withPackages`: with the packages that they use (default), or with imports of them
 */
export async function bundle(root, programs, dir, { withPackages = true } = {}) {
  const entries = Object.values(programs)
  const outside = withPackages ? separatePackages : /^[^./#]/
  // Imported only here, because most starts have nothing to build.
  const { build } = await import('rolldown')
  await build({
    cwd: root,
    input: programs,
    platform: 'node',
    external: (id) => outside.test(id) && !entries.includes(id),
    output: {
      dir,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      // Less to read at each start. Names are kept, for stack traces.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    },
    logLevel: 'warn',
    // A package may use it; sources may not.
    checks: { eval: false },
  })
}

/** @param {string} folder */
function removeOldest(folder) {
  const byAge = readdirSync(folder)
    .filter((name) => name !== 'packaged')
    .map((name) => ({ path: join(folder, name), time: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.time - a.time)
  for (const { path } of byAge.slice(kept)) rmSync(path, { recursive: true, force: true })
}

const [, program, root, folder] = process.argv
// Run by `bundleServers`.
if (program === import.meta.filename && root && folder) await bundle(root, servers, folder)
