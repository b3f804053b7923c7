/** The console, compiled for Node while its page is built: what the build asks it for. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'
import { classNames } from './classNames.ts'

export type Prerender = (options: { path: string; signedIn: boolean; connection: object }) => Promise<string>

/** The exports of `src/console/prerender.tsx`. Not imported: it is compiled here, and belongs to another layer. */
interface ConsoleExports {
  prerender: Prerender
  pageReads: (name: string) => Promise<string[]>
  frameReads: (showsTelemetry: boolean) => string[]
}

/** Widths of windows between which the frame differs, as the components ask for them (`useMediaQuery`). */
export const widths = { wide: 1440, narrow: 900, phone: 390 } as const

let width: number = widths.wide

/** Draws the pages of a compiled console for windows of this width from now on. */
export function setWidth(to: number): void {
  width = to
}

export interface CompiledConsole {
  plugin: Plugin
  /** Calls the compiled console. The first call waits until it is compiled. */
  ask: <T>(work: (parts: ConsoleExports) => Promise<T>) => Promise<T>
}

/** One compiled console for all plugins of a build. */
export function compiledConsole(): CompiledConsole {
  let root = ''
  let compiled: Promise<string> | undefined
  const remove = async () => {
    const outDir = await compiled?.catch(() => undefined)
    compiled = undefined
    if (outDir) rmSync(outDir, { recursive: true })
  }
  return {
    plugin: {
      name: 'compiled-console',
      apply: 'build',
      configResolved: (config) => void (root = config.root),
      // Not earlier: it loads the code of each page when it is drawn.
      closeBundle: remove,
    },
    ask: async (work) => {
      const outDir = await (compiled ??= compile(root))
      const restoreGlobals = simulateBrowser()
      try {
        // Compiled from `src/console/prerender.tsx`.
        return await work((await import(pathToFileURL(join(outDir, 'prerender.js')).href)) as ConsoleExports)
      } finally {
        restoreGlobals()
      }
    },
  }
}

/** @returns the folder */
async function compile(root: string): Promise<string> {
  const outDir = mkdtempSync(join(root, 'node_modules/.prerender-'))
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [react(), classNames(), withoutBrowser()],
    ssr: { noExternal: true },
    build: { ssr: 'src/console/prerender.tsx', outDir, emptyOutDir: true, target: 'node20', cssCodeSplit: false },
  })
  return outDir
}

/** Modules that ask the browser while they are loaded or drawn. */
function withoutBrowser(): Plugin {
  return {
    name: 'without-browser',
    enforce: 'pre',
    resolveId: (id) => (/(?:^@mui\/material|\/ui)\/useMediaQuery(?:\.ts)?$/.test(id) ? '\0useMediaQuery' : null),
    load(id) {
      if (id.endsWith('/src/console/ui/base/nonce.ts')) return `export const nonce = '__CSP_NONCE__'`
      // Its timers would outlast the pages, which get no response, and keep the build from ending.
      if (id.endsWith('/src/console/api/pending.ts')) return 'export const trackPending = (_, request) => request()'
      if (id !== '\0useMediaQuery') return null
      return `export const useMediaQuery = (query) => matchMedia(query).matches
        export default useMediaQuery`
    },
  }
}

/**
 * The few globals that the console uses outside of effects. Requests never get a response: pages stay without data.
 * @returns restores the globals, because a server may be started by the process that builds
 */
function simulateBrowser(): () => void {
  const matchMedia = (query: string) => ({
    matches: width <= Number(/max-width: (\d+)px/.exec(query)?.[1] ?? 0),
    addEventListener: () => {},
    removeEventListener: () => {},
  })
  const simulated: Record<string, unknown> = {
    matchMedia,
    addEventListener: () => {},
    fetch: () => new Promise(() => {}),
    __zod_globalConfig: { jitless: true },
    // Newer versions of Node have one.
    ...(!('navigator' in globalThis) && { navigator: { userAgent: '' } }),
  }
  const before = Object.keys(simulated).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  )
  for (const [name, value] of Object.entries(simulated)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
      else Reflect.deleteProperty(globalThis, name)
    }
  }
}
