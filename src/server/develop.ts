/** The page from the development server, which compiles each file as it is asked for and reloads what changes. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'vite'

export interface DevelopmentPage {
  develop(request: IncomingMessage, response: ServerResponse): void
  stop(): Promise<void>
}

/** Its requests come through the gateway, so that session, headers and addresses are those of the built page. */
export async function developPage(root: string): Promise<DevelopmentPage> {
  const vite = await createServer({ root, server: { middlewareMode: true }, appType: 'spa' })
  return { develop: (request, response) => vite.middlewares(request, response), stop: () => vite.close() }
}
