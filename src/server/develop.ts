/** The page from Vite's development server, which compiles files on request and reloads what changes. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as listen, type AddressInfo } from 'node:net'
import { createServer, type Plugin } from 'vite'

export interface DevelopmentPage {
  develop(request: IncomingMessage, response: ServerResponse): void
  stop(): Promise<void>
}

/** Requests pass through the gateway, so that session, headers and URLs are those of the built page. */
export async function developPage(root: string, basePath: string): Promise<DevelopmentPage> {
  const hmr = { port: await freePort() }
  const vite = await createServer({
    root,
    base: `${basePath}/`,
    plugins: [
      { name: 'base-path', transformIndexHtml: (html) => html.replace('__BASE_PATH__', basePath) } satisfies Plugin,
    ],
    server: { middlewareMode: true, hmr },
    appType: 'spa',
  })
  return {
    develop: (request, response) => {
      request.url = basePath + (request.url ?? '')
      vite.middlewares(request, response)
    },
    stop: () => vite.close(),
  }
}

/** A port for the hot reload socket, so that two consoles can run in development. */
function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = listen().once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo // a listening TCP server has one
      probe.close(() => done(port))
    })
  })
}
