/** The chunks and reads of each page, as written by the build (`src/build/pageManifest.ts`). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { consoleEndpoints } from '#contract/index.ts'
import { fillPath, gatewayPath, type Endpoint } from '#contract/wire/kernel.ts'

const manifest = z.record(
  z.string(),
  z.object({
    chunks: z.array(z.string().regex(/^\/[\w./-]+$/)),
    /** Names of endpoints: `alerts.list`. */
    reads: z.array(z.string()),
    /** The reads of the frame. */
    backgroundReads: z.array(z.string()),
  }),
)

/** A first read of a page. */
export interface PageRead {
  /** Its API path. */
  path: string
  priority: 'visible' | 'background'
}

/** The chunks and reads of a page besides index.html. */
export interface PageNeeds {
  /** The URL with its parameters as `$name`; empty for no page. */
  url: string
  params: Params
  /** The files with its code. */
  chunks: readonly string[]
  reads: readonly PageRead[]
}

/** Segments of a path. `$name` matches any segment. */
type Template = readonly string[]
type Params = Record<string, string>

const nothing: PageNeeds = { url: '', params: {}, chunks: [], reads: [] }

/**
 * Reads the manifest. A build without one would work, but slowly.
 * @returns a function from a path such as `/c/local/alerts` to what its page needs
 */
export function readPageManifest(distDir: string): (path: string) => PageNeeds {
  const found = manifest.parse(JSON.parse(readFileSync(join(distDir, '.pages.json'), 'utf8')))
  const pages = Object.entries(found)
    .map(([url, { chunks, reads, backgroundReads }]) => ({
      url,
      template: segments(url),
      chunks,
      reads: [
        ...reads.map((name) => ({ endpoint: endpointOf(name), priority: 'visible' as const })),
        ...backgroundReads.map((name) => ({ endpoint: endpointOf(name), priority: 'background' as const })),
      ],
    }))
    .toSorted((a, b) => parameters(a.template) - parameters(b.template))
  return (path) => {
    for (const { url, template, chunks, reads } of pages) {
      const params = match(template, segments(path))
      if (params) return { url, params, chunks, reads: reads.flatMap((read) => readOf(read, params)) }
    }
    return nothing
  }
}

const segments = (path: string): Template => path.split('/').filter((segment) => segment !== '')
const parameters = (template: Template) => template.filter((segment) => segment.startsWith('$')).length

function match(template: Template, path: Template): Params | null {
  if (template.length !== path.length) return null
  const params: Params = {}
  for (const [at, segment] of template.entries()) {
    const value = path[at] ?? ''
    if (segment.startsWith('$')) params[segment.slice(1)] = value
    else if (segment !== value) return null
  }
  return params
}

function endpointOf(name: string): Endpoint {
  const endpoint = consoleEndpoints.find(({ resource, verb }) => `${resource}.${verb}` === name)
  if (!endpoint || endpoint.method !== 'GET') throw new Error(`The build names a read that does not exist: ${name}.`)
  return endpoint
}

/** None for a parameter that is no ID: the page says so. */
function readOf(
  { endpoint, priority }: { endpoint: Endpoint; priority: PageRead['priority'] },
  params: Params,
): PageRead[] {
  try {
    return [{ path: fillPath(gatewayPath(endpoint), params), priority }]
  } catch (error) {
    if (error instanceof TypeError) return []
    throw error
  }
}
