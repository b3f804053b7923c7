/** Serves the built page: hashed files with long caching, and the page itself at every other path, with a new style nonce. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { failure } from './gatewayError.ts'
import type { FirstState } from '#contract/connections.ts'
import { developmentPolicy, pagePolicy } from './headers.ts'
import { readPreloads } from './pagePreloads.ts'

/** Where the page comes from: a built folder, or a development server's middleware. */
export type Pages = { distDir: string } | { develop: (request: IncomingMessage, response: ServerResponse) => void }

const noncePlaceholder = /__CSP_NONCE__/g
const statePlaceholder = '__FIRST_STATE__'

/** Serves files at their own paths, and the page at every path that looks like one. */
export async function registerPages(
  app: FastifyInstance,
  pages: Pages,
  firstState: (request: FastifyRequest) => FirstState | null,
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
  const html = readFileSync(index, 'utf8')
  const preloads = readPreloads(pages.distDir)
  await app.register(fastifyStatic, {
    root: pages.distDir,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['index.html*', '**/*.br', '**/*.gz', '.*'],
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/')
      void reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.setNotFoundHandler((request, reply) => {
    refuseApi(request)
    if (!isPage(request)) return reply.code(404).type('text/plain; charset=utf-8').send('Not found')
    const page = html
      .replace(statePlaceholder, () => asAttribute(firstState(request)))
      .replace('</head>', `${preloads(pathOf(request))}</head>`)
    return sendPage(reply, page)
  })
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .header('content-security-policy', pagePolicy(nonce))
    .type('text/html; charset=utf-8')
    .send(html.replace(noncePlaceholder, nonce))
}

/** JSON for the value of an HTML attribute; empty without a state, which the page then requests. */
function asAttribute(state: FirstState | null): string {
  if (state === null) return ''
  const escapes: Record<string, string> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' }
  return JSON.stringify(state).replace(/[&"<>]/g, (character) => escapes[character] ?? '')
}

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
