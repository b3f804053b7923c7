import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'
import { pages } from '../console/paths/pages.ts'
import { outlineOf, Pieces, type Outline, type Rules } from './outline.ts'

/** What `src/console/prerender.tsx` exports. Not imported: it is compiled here, and belongs to another layer. */
interface Renderer {
  prerender: (options: { path: string; signedIn: boolean; connection: object }) => Promise<string>
}

const variants = ['openSource', 'managed'] as const
const stages = ['production', 'staging', 'development', 'local'] as const

/** Widths of windows between which the frame differs, as the components ask for them (`useMediaQuery`). */
const widths = { wide: 1440, narrow: 900, phone: 390 } as const

/** The connection in the outlines. The gateway fills in the one of the URL. */
const placeholder = { id: 'connection-placeholder', name: '__CONNECTION_NAME__' }

/**
 * Writes `.outlines.json`: how each page looks before its data, drawn by its own components. The gateway puts it into
 * the document, so that there is something to see before any script.
 */
export function prerender(): Plugin {
  let root = ''
  return {
    name: 'prerender',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    configResolved: (config) => void (root = config.root),
    async generateBundle() {
      const outDir = mkdtempSync(join(root, 'node_modules/.prerender-'))
      await compile(root, outDir)
      const restoreGlobals = simulateBrowser()
      try {
        // Compiled from `src/console/prerender.tsx`.
        const renderer = (await import(pathToFileURL(join(outDir, 'prerender.js')).href)) as Renderer
        this.emitFile({ type: 'asset', fileName: '.outlines.json', source: JSON.stringify(await outlines(renderer)) })
      } finally {
        restoreGlobals()
        // Not earlier: it loads the code of each page when it is drawn.
        rmSync(outDir, { recursive: true })
      }
    },
  }
}

async function compile(root: string, outDir: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [react(), withoutBrowser()],
    ssr: { noExternal: true },
    build: { ssr: 'src/console/prerender.tsx', outDir, emptyOutDir: true, target: 'node20', cssCodeSplit: false },
  })
}

let width: number = widths.wide

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

async function outlines({ prerender }: Renderer) {
  const rules: Rules = new Map()
  const pieces = new Pieces()
  const draw = async (path: string, more: object = {}, signedIn = true) => {
    const connection = { ...placeholder, variant: 'openSource', stage: 'local', readOnly: false, ...more }
    return outlineOf(await prerender({ path, signedIn, connection }), rules)
  }
  const byUrl: Record<string, { title: string; drawn: Record<string, { html: number[]; rules: number[] }> }> = {}
  for (const { url } of Object.values(pages)) {
    const path = destination(url).replace('$connectionId', placeholder.id).replaceAll(/\$\w+/g, 'a-1')
    for (const variant of variants) {
      for (const [name, at] of Object.entries(widths)) {
        width = at
        const { title, html, rules: used } = await draw(path, { variant }, url !== pages.signIn.url)
        const page = (byUrl[url] ??= { title, drawn: {} })
        page.drawn[`${variant} ${name}`] = { html: pieces.numbersOf(html), rules: used }
      }
    }
  }
  width = widths.wide
  const connections: Record<string, Pick<Outline, 'connection' | 'writes' | 'rules'>> = {}
  for (const variant of variants) {
    for (const stage of stages) {
      for (const readOnly of [false, true]) {
        const {
          connection,
          writes,
          rules: used,
        } = await draw(`/c/${placeholder.id}/alerts`, { variant, stage, readOnly })
        connections[`${variant} ${stage} ${readOnly}`] = { connection, writes, rules: used }
      }
    }
  }
  return { rules: [...rules.values()], pieces: pieces.all, pages: byUrl, connections }
}

/** The URL that a URL without a page of its own redirects to: the one on a connection with the same file. */
function destination(url: string): string {
  const { file } = Object.values(pages).find((page) => page.url === url) ?? {}
  const last = Object.values(pages).findLast((page) => page.file === file)
  return last?.url ?? url
}
