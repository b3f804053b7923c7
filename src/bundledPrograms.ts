/** Bundles the programs that specs, benches and soaks start as processes of their own. A start takes a third of the time. */
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join, parse, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { TestProject } from 'vitest/node'
import { bundle, workerPrograms } from './server/bundle.js'

const programs = [
  'src/gateway/recordFiles/recordZipWorker.ts',
  'src/gateway/testing/fullDiskProcess.ts',
  'src/gateway/testing/keyRotationWorker.ts',
  'src/server/apiKeys/makeAdminKey.ts',
  'src/server/backup/backup.ts',
  'src/server/backup/restore.ts',
  'src/server/database/moveDatabase.ts',
  'src/server/makeAdmin.ts',
  'src/server/rotateKey.ts',
  'src/server/testing/dataDirHolder.ts',
  'src/server/testing/gatewayProcess.ts',
  'src/server/testing/parentWatcher.ts',
  'src/server/verifyAudit.ts',
  'src/node/notifications/renderWorker.ts',
  'src/node/testing/oidcProvider.ts',
  'src/node/process/workerHost.mjs',
  'src/stack/startup/main.ts',
  'src/stack/testing/alertWorker.ts',
  'src/stack/testing/clickhouse/clickhouseServer.ts',
  'src/stack/testing/indexWorker.ts',
  'src/stack/testing/insertWorker.ts',
  'src/stack/testing/notifierProcess.ts',
  'src/stack/testing/pipeWorker.ts',
  'src/stack/testing/secretsWorker.ts',
  'src/stack/testing/stackServer.ts',
  'src/stack/testing/upgradeWorker.ts',
]

const root = resolve(import.meta.dirname, '..')

/** With one of the specs. */
const workers = { ...workerPrograms, hostileWorker: 'src/node/testing/hostileWorker.ts' }

/** How modules say where their worker program is. */
const place = 'beside: import.meta.url'

/** Makes the modules under test start their worker processes from a bundle, as the product does, once one is loaded. */
export function bundledWorkers(): Plugin {
  let bundled: Promise<string> | undefined
  return {
    name: 'bundled-workers',
    apply: () => process.env['VITEST'] !== undefined,
    configureVitest({ experimental_defineCacheKeyGenerator: defineCacheKey }) {
      // The next run has another folder.
      defineCacheKey(({ sourceCode }) => (sourceCode.includes(place) ? false : undefined))
    },
    transform: {
      // Neither specs nor this file, which the test runner loads too.
      filter: { id: /\/src\/(?!bundledPrograms|.*\.spec).*/, code: place },
      async handler(code) {
        const folder = await (bundled ??= bundleWorkers())
        const url = pathToFileURL(join(folder, 'any.js')).href
        return { code: code.replace(place, `beside: ${JSON.stringify(url)}`), map: null }
      },
    },
  }
}

async function bundleWorkers(): Promise<string> {
  const folder = await mkdtemp(join(root, 'node_modules/.programs-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await bundle(root, workers, folder)
  return folder
}

/** Makes `program` start bundles, as `npm start` does, until they are removed. */
export async function bundlePrograms(): Promise<{ renew: () => Promise<void>; remove: () => Promise<void> }> {
  // Inside of the project, so that the programs find its packages.
  const folder = await mkdtemp(join(root, 'node_modules/.programs-'))
  const renew = () => bundle(root, Object.fromEntries(programs.map((file) => [parse(file).name, file])), folder)
  await renew()
  process.env['BUNDLED_PROGRAMS'] = folder
  return { renew, remove: () => rm(folder, { recursive: true, force: true }) }
}

export default async function beforeSpecs(project: TestProject): Promise<() => Promise<void>> {
  const { renew, remove } = await bundlePrograms()
  project.onTestsRerun(renew)
  return remove
}
