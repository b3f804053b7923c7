/** How a page looks before its data, as drawn by the build (`src/build/prerender.ts`): part of its document. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Connection } from '#contract/console/connections.ts'
import { asAttribute } from './htmlText.ts'

/** Indexes of an array. Not checked one by one: there are 100,000 of them, written by the same build. */
const numbers = z.custom<readonly number[]>(Array.isArray)

const outlines = z.object({
  /** In their order: later ones override. */
  rules: z.array(z.string()),
  /** Pieces of markup that the pages share. */
  pieces: z.array(z.string()),
  /** By URL; then by variant and width. */
  pages: z.record(
    z.string(),
    z.object({ title: z.string(), drawn: z.record(z.string(), z.object({ html: numbers, rules: numbers })) }),
  ),
  /** The buttons of the connection, by variant, stage, and whether it is read-only. */
  connections: z.record(z.string(), z.object({ connection: z.string(), writes: z.string(), rules: numbers })),
})

/** The connection in the outlines, as in `src/build/prerender.ts`. */
const placeholder = { id: 'connection-placeholder', name: '__CONNECTION_NAME__', stage: '--stage-local' }
const widths = ['wide', 'narrow', 'phone']

export interface PageOutline {
  /** Rules for the head. */
  css: string
  html: string
  /** The title of the window as HTML; empty where it is not known. */
  title: string
}

export const noOutline: PageOutline = { css: '', html: '', title: '' }

/**
 * @param linked gives the links of a piece of markup their base path
 * @returns a function from the URL of a page and its connection to its outline
 */
export function readPageOutlines(
  distDir: string,
  linked: (html: string) => string,
): (url: string, connection?: Connection, hasSample?: boolean) => PageOutline {
  const path = join(distDir, '.outlines.json')
  if (!existsSync(path)) return () => noOutline
  const { rules, pieces: drawn, pages, connections } = outlines.parse(JSON.parse(readFileSync(path, 'utf8')))
  const pieces = drawn.map(linked)
  return (url, connection, hasSample = false) => {
    const page = pages[url]
    const named = connection
      ? connections[`${connection.variant} ${connection.stage} ${connection.readOnly}`]
      : { connection: '', writes: '', rules: [] }
    if (!page || !named) return noOutline
    const variant = connection?.variant ?? 'openSource'
    const parts = widths.flatMap((width) => {
      const part = page.drawn[`${variant} ${width}`]
      return part ? [{ width, rules: part.rules, html: part.html.map((piece) => pieces[piece]).join('') }] : []
    })
    const used = new Set([...parts.flatMap((part) => part.rules), ...named.rules])
    const css = rules.filter((_, at) => used.has(at)).join('')
    const html = parts.map(
      (part) =>
        // Nothing in it can be used yet.
        `<div class="outline" data-width="${part.width}"${hasSample ? ' data-sample' : ''} inert aria-hidden="true">${part.html
          .replace('<!--connection-->', () => named.connection)
          .replace('<!--writes-->', () => named.writes)}</div>`,
    )
    return {
      css: css.replaceAll(placeholder.stage, `--stage-${connection?.stage ?? 'none'}`),
      html: withConnection(html.join(''), connection),
      title: withConnection(page.title, connection),
    }
  }
}

function withConnection(html: string, connection: Connection | undefined): string {
  const { id = '', name = '' } = connection ?? {}
  return html.replace(new RegExp(`${placeholder.id}|${placeholder.name}`, 'g'), (found) =>
    asAttribute(found === placeholder.id ? id : name),
  )
}
