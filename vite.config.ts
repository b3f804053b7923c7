import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { bundleBudget } from './src/build/bundleBudget.ts'
import { chunkCircles } from './src/build/chunkCircles.ts'
import { classNames } from './src/build/classNames.ts'
import { compiledConsole } from './src/build/compiledConsole.ts'
import { compileHints } from './src/build/compileHints.ts'
import { previousBuilds } from './src/build/previousBuilds.ts'
import { sharedChunks } from './src/build/sharedChunks.ts'
import { prerender } from './src/build/prerender.ts'
import { precompress } from './src/build/precompress.ts'
import { pageContract } from './src/build/pageContract.ts'
import { pageManifest } from './src/build/pageManifest.ts'
import { withoutJsonSchemas } from './src/build/withoutJsonSchemas.ts'
import { bundledWorkers } from './src/bundledPrograms.ts'
import { NoSkippedTests } from './src/noSkippedTests.ts'
import { SpecOrder } from './src/specOrder.ts'

const shared = sharedChunks(2)
const compiled = compiledConsole()

const specs = ['src/**/*.spec.{ts,tsx}', 'e2e/support/*.spec.ts', 'soak/*.spec.ts']
const integrationSpecs = ['src/**/*.integration.spec.ts', 'e2e/support/*.integration.spec.ts']
/** Specs that share a process share its clock as well. */
const steadyClock = 'src/node/testing/steadyClock.ts'
const domSpecs = 'src/console/**/*.dom.spec.{ts,tsx}'
const databaseSpecs = [
  'apiKeys',
  'audit',
  'changes/changeRequests',
  'changes/runs',
  'cluster',
  'connections',
  'database',
  'environments',
  'history',
  'identity/people',
  'identity/sessions',
  'markers',
].map((folder) => `src/gateway/${folder}/*.spec.ts`)
const pageSpecs = ['src/console/**/*.spec.{ts,tsx}', 'src/contract/**/*.spec.ts', 'src/build/**/*.spec.ts']

export default defineConfig({
  plugins: [
    react(),
    pageContract(),
    withoutJsonSchemas(),
    classNames(),
    shared.plugin,
    chunkCircles(),
    bundleBudget(),
    compiled.plugin,
    pageManifest(compiled),
    prerender(compiled),
    compileHints(),
    precompress(),
    previousBuilds(),
    bundledWorkers(),
  ],
  // The code of the page finds its chunks beside itself: one build serves every base path.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'js' ? { relative: true } : undefined) },
  build: {
    outDir: 'dist',
    // Browsers of the target preload modules by themselves.
    modulePreload: { polyfill: false },
    // See `previousBuilds`.
    emptyOutDir: false,
    target: 'es2023',
    sourcemap: false,
    assetsInlineLimit: 0,
    // One stylesheet for all pages: one request, and rules in one order on all of them.
    cssCodeSplit: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A page of sixty small chunks compresses badly and waits for six connections: its parts come in a few.
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 3 },
            { name: 'frame', test: /rolldown[\\/]runtime/, priority: 3 },
            ...shared.groups,
            // What parts that are loaded on demand share, by which of them. Only crumbs join the group that is nearest: what
            // that imports comes with them.
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 1_000 },
          ],
        },
        // The bundler names a shared chunk after all of its pages.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
      },
    },
  },
  test: {
    // Many tests wait for processes that they start: more workers than cores keep all of them busy.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SpecOrder },
    globalSetup: ['src/specFolder.ts', 'src/testPostgresServer.ts'],
    // Only what hangs takes as long, however busy the machine is.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    restoreMocks: true,
    // Modules that did not change are not compiled again: a quarter of the processor time of unit tests.
    experimental: { fsModuleCache: true },
    // The theme reads its colours from this stylesheet; others are left out.
    css: { include: /tokens\.css/ },
    projects: [
      // The modules of a worker are loaded once for all of its specs.
      { extends: true, test: { name: 'page', include: pageSpecs, exclude: [domSpecs], isolate: false } },
      // Specs that need a DOM. Those of a worker share its document: emotion keeps nodes of the one that it was loaded with.
      {
        extends: true,
        test: {
          name: 'dom',
          include: [domSpecs],
          isolate: false,
          environment: 'happy-dom',
          setupFiles: 'src/console/ui/testing/freshDocument.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'servers',
          include: specs,
          exclude: [...pageSpecs, ...integrationSpecs],
          isolate: false,
          setupFiles: steadyClock,
        },
      },
      // What stores and reads on the other database of the console as well.
      {
        extends: true,
        test: {
          name: 'postgres',
          include: databaseSpecs,
          // What measures a computation depends on no database.
          exclude: [...integrationSpecs, 'src/gateway/**/*Speed.spec.ts'],
          isolate: false,
          setupFiles: steadyClock,
          env: { TEST_CONSOLE_ON_SERVER: '1' },
        },
      },
      // Specs that start an engine, a server or another process.
      {
        extends: true,
        test: {
          name: 'integration',
          // As the stack is started: the engine has as many connections as there.
          env: { UV_THREADPOOL_SIZE: '16' },
          include: integrationSpecs,
          isolate: false,
          setupFiles: steadyClock,
          globalSetup: ['src/bundledPrograms.ts', 'src/testKafkaServer.ts'],
        },
      },
    ],
    reporters: ['default', new NoSkippedTests()],
  },
})
