/**
 * The outline of each page: how it looks before any script and any data, drawn at build time by the components of the page,
 * for both variants and three widths. The gateway puts it into the document, and React draws in its place once code and data
 * are there (`console/main.tsx`), so that nothing moves. A component in an outline must not ask the browser while it renders,
 * and a store needs a server snapshot; otherwise a plain skeleton takes its place. Outlines share most of their markup and
 * are stored as lists of pieces.
 */
import type { Plugin } from 'vite'
import { destination, pages } from '../console/paths/pages.ts'
import { setWidth, widths, type CompiledConsole, type Prerender } from './compiledConsole.ts'
import { outlineOf, Pieces, type Outline, type Rules } from './outline.ts'

const variants = ['openSource', 'managed'] as const
const stages = ['production', 'staging', 'development', 'local'] as const

/** The connection in the outlines. The gateway fills in the one of the URL. */
const placeholder = { id: 'connection-placeholder', name: '__CONNECTION_NAME__' }

/** Writes the outlines of all pages to `.outlines.json`. */
export function prerender({ ask }: CompiledConsole): Plugin {
  return {
    name: 'prerender',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    async generateBundle() {
      const source = JSON.stringify(await ask(({ prerender }) => outlines(prerender)))
      this.emitFile({ type: 'asset', fileName: '.outlines.json', source })
    },
  }
}

async function outlines(prerender: Prerender) {
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
        setWidth(at)
        const { title, html, rules: used } = await draw(path, { variant }, url !== pages.signIn.url)
        const page = (byUrl[url] ??= { title, drawn: {} })
        page.drawn[`${variant} ${name}`] = { html: pieces.numbersOf(html), rules: used }
      }
    }
  }
  setWidth(widths.wide)
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
