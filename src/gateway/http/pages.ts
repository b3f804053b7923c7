/** Serves the built page: hashed files with long caching, and the page itself at every other path, with a new style nonce. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { constants, createGzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { failure } from '#node/upstream/apiFailure.ts'
import type { FirstState } from '#contract/console/connections.ts'
import { developmentPolicy, inlineScriptHashes, pagePolicy } from './headers.ts'
import { asAttribute } from './htmlText.ts'
import { readPageManifest, type PageNeeds } from './pageManifest.ts'
import { noOutline, readPageOutlines, type PageOutline } from './pageOutlines.ts'
import { defaultReadDeadline, documentWithReads, opensPage, read } from './pageReads.ts'

/** Where the page comes from: a built folder, or a development server's middleware. */
export type Pages = { distDir: string } | { develop: (request: IncomingMessage, response: ServerResponse) => void }

/**
 * Placeholders that the gateway fills in. STATE: session and connections of a signed-in user; empty for anyone else, and the page
 * requests them. BASE_PATH: the path before that of every page and request. READS: the API paths whose responses follow inside the document.
 */
const placeholder =
  /__CSP_NONCE__|__FIRST_STATE__|__PAGE_READS__|<title>.*?<\/title>|<!--outline(?:-styles)?-->|(?=<div id="root">)/g

const signInUrl = '/sign-in'
/** The page of public links, which is the same for everybody. */
const sharedUrl = '/shared'

interface PageDependencies {
  /** The embedded data for the signed-in person. */
  firstState: (request: FastifyRequest) => Promise<FirstState | null>
  /** Whether `samples` in the first state is right about a connection. */
  knowsSample: (connectionId: string) => boolean
  /** Empty without one. */
  basePath: string
  readDeadline?: number | undefined
}

/** Milliseconds that the first document of a connection waits for whether it has sample data. */
const sampleWait = 150

/** Serves files at their own paths, and the page at every path that looks like one. */
export async function registerPages(
  app: FastifyInstance,
  pages: Pages,
  { firstState, knowsSample, basePath, readDeadline = defaultReadDeadline }: PageDependencies,
): Promise<void> {
  if ('develop' in pages) {
    app.setNotFoundHandler((request, reply) => {
      refuseApi(request)
      reply.hijack()
      reply.raw.setHeader('content-security-policy', developmentPolicy)
      pages.develop(request.raw, reply.raw)
    })
    return
  }
  const index = join(pages.distDir, 'index.html')
  if (!existsSync(index)) throw new Error(`${index} is missing: build the page with "npm run build".`)
  const html = linkedUnder(basePath, readFileSync(index, 'utf8')).replace('__BASE_PATH__', basePath)
  const scriptHashes = inlineScriptHashes(html)
  const needsOf = readPageManifest(pages.distDir)
  const outlineOf = readPageOutlines(pages.distDir, (html) => linkedUnder(basePath, html))
  await serveFiles(app, pages.distDir)
  app.setNotFoundHandler(async (request, reply) => {
    refuseApi(request)
    if (!isPage(request)) return reply.code(404).type('text/plain; charset=utf-8').send('Not found')
    const needs = needsOf(pathOf(request))
    const reads = request.access && opensPage(request) ? needs.reads : []
    const sample = reads.find(({ path }) => path.endsWith('/stack/sample'))
    if (sample && !knowsSample(needs.params.connectionId ?? '')) {
      await Promise.race([read(app, request, sample), sleep(sampleWait)])
    }
    const isShared = pathOf(request) === sharedUrl
    const state = isShared ? null : await firstState(request)
    const outline = isShared ? outlineOf(sharedUrl) : outlineFor(outlineOf, request, needs, state)
    const nonce = randomBytes(16).toString('base64')
    const values: Record<string, string> = {
      __CSP_NONCE__: nonce,
      __FIRST_STATE__: state ? asAttribute(JSON.stringify(state)) : '',
      __PAGE_READS__: reads.length > 0 ? asAttribute(JSON.stringify(reads.map(({ path }) => path))) : '',
      '<!--outline-styles-->': outline.css && `<style nonce="${nonce}" data-outline>${outline.css}</style>`,
      '<!--outline-->': outline.html,
      '': needs.chunks.map((chunk) => preload(basePath + chunk)).join(''),
    }
    // In one pass: a name that looks like a placeholder stays a name.
    const page = html.replace(placeholder, (name) =>
      name.startsWith('<title>') ? titled(name, outline) : (values[name] ?? ''),
    )
    void reply.header('content-security-policy', pagePolicy(nonce, scriptHashes)).type('text/html; charset=utf-8')
    const at = page.lastIndexOf('</body>')
    const parts = { start: page.slice(0, at), reads, end: page.slice(at) }
    const document = documentWithReads(app, request, parts, readDeadline)
    void reply.header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(Readable.from(document))
    return reply.header('content-encoding', 'gzip').send(compressed(document))
  })
}

/**
 * The files of the build. Those of `assets` share one route: a build has hundreds of them, and those of earlier builds stay
 * for pages that are open. The few others have a route each, so that any other path is a page.
 */
async function serveFiles(app: FastifyInstance, root: string): Promise<void> {
  const shared = { index: false, preCompressed: true, cacheControl: false } as const
  await app.register(fastifyStatic, {
    ...shared,
    root: join(root, 'assets'),
    prefix: '/assets/',
    allowedPath: (path) => /^\/[\w.-]+$/.test(path) && !/\.(?:br|gz)$/.test(path),
    setHeaders: (reply) => void reply.header('cache-control', 'public, max-age=31536000, immutable'),
  })
  await app.register(fastifyStatic, {
    ...shared,
    root,
    wildcard: false,
    decorateReply: false,
    globIgnore: ['assets/**', 'index.html*', '**/*.br', '**/*.gz', '.*'],
    setHeaders: (reply) => void reply.header('cache-control', 'no-cache'),
  })
}

/** One build serves every base path: the addresses in its markup and styles begin with `/`, those in its code are relative. */
function linkedUnder(basePath: string, html: string): string {
  return html.replace(/(?<=[ ](?:href|src)="|url\(["']?)\/(?!\/)/g, () => `${basePath}/`)
}

/** Each part is sent as it comes. A browser that disconnects ends the document. */
function compressed(document: AsyncIterable<string | Buffer>): Readable {
  const gzip = createGzip({ level: 5, flush: constants.Z_SYNC_FLUSH })
  return pipeline(document, gzip, () => {})
}

/**
 * The outline of a page, or of the sign-in page while signed out. A link on another site comes without the cookie, so it is
 * unknown which is right: no outline.
 */
function outlineFor(
  outlineOf: ReturnType<typeof readPageOutlines>,
  { headers }: FastifyRequest,
  { url, params }: PageNeeds,
  state: FirstState | null,
): PageOutline {
  if (!state) return headers['sec-fetch-site'] === 'cross-site' ? noOutline : outlineOf(signInUrl)
  const named = state.connections.find(({ id }) => id === params.connectionId)
  const hasSample = named !== undefined && state.samples.includes(named.id)
  const isOfConnection = url.startsWith('/c/$connectionId')
  return isOfConnection && !named ? noOutline : outlineOf(url, named ?? state.connections[0], hasSample)
}

/** The title element, with the name of the page before that of the console. */
const titled = (element: string, { title }: PageOutline) =>
  title ? element.replace('>', () => `>${title} · `) : element

const preload = (href: string) => `<link rel="modulepreload" crossorigin href="${href}">`

/** An unknown path of the API is an error and never a page. */
function refuseApi({ url }: FastifyRequest): void {
  if (/^\/api(?:[/?]|$)/.test(url)) throw failure('notFound', 'The API has no such endpoint.')
}

function isPage(request: FastifyRequest): boolean {
  const { method } = request
  const path = pathOf(request)
  return (method === 'GET' || method === 'HEAD') && !path.startsWith('/assets/') && !/\.[^/]*$/.test(path)
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? ''
