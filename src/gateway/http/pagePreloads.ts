/** Which files a page needs besides those of index.html, as written by the build. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const file = z.record(z.string(), z.array(z.string().regex(/^\/[\w./-]+$/)))

/** Segments of a path. `$name` matches any segment. */
type Template = readonly string[]

/**
 * Reads what `src/build/pageChunks.ts` wrote. A build without it would work, but slowly.
 * @returns a function from a path such as `/c/local/alerts` to the links that preload the page's chunks
 */
export function readPreloads(distDir: string): (path: string) => string {
  const found = file.parse(JSON.parse(readFileSync(join(distDir, '.pageChunks.json'), 'utf8')))
  const pages = Object.entries(found)
    .map(([address, files]) => ({ template: segments(address), links: files.map(link).join('') }))
    .toSorted((a, b) => parameters(a.template) - parameters(b.template))
  return (path) => pages.find(({ template }) => matches(template, segments(path)))?.links ?? ''
}

const segments = (path: string): Template => path.split('/').filter((segment) => segment !== '')
const parameters = (template: Template) => template.filter((segment) => segment.startsWith('$')).length
const link = (href: string) => `<link rel="modulepreload" crossorigin href="${href}">`

function matches(template: Template, path: Template): boolean {
  return (
    template.length === path.length && template.every((segment, at) => segment.startsWith('$') || segment === path[at])
  )
}
