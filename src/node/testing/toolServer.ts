/**
 * A deployment with an MCP endpoint, for tests. It simulates: the endpoint is a real one of the official SDK over HTTP, and
 * its tools have the names, inputs and forms of answers of the open-source deployment, but what they return is the test's. All other
 * requests go to another deployment, without the routes that only the stack of this product has.
 */
import { randomUUID } from 'node:crypto'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { z } from 'zod'
import { deploymentTools, toolsPath, type ToolKey } from '#contract/stack/deploymentTools.ts'

type Answer = unknown | Promise<unknown>

/** The functions of tools: each returns a value, which is printed as JSON, or throws an Error for an input that it refuses. */
type ToolAnswers = Partial<Record<ToolKey, (input: Record<string, unknown>) => Answer>>

export interface ToolServerOptions {
  key: string
  tools: ToolAnswers
  /** The deployment that has everything else. Default: nothing has. */
  behind?: string | undefined
  /** How the tools are called before their own name. */
  prefix?: string
  /** Whether the endpoint keeps sessions; the real one keeps none. */
  sessions?: boolean
  /** Answers in place of the endpoint; false to leave it to the endpoint. */
  instead?: ((body: string, response: ServerResponse) => boolean) | undefined
}

export interface ToolServer {
  url: string
  /** Bodies of the messages to the endpoint. */
  messages: string[]
  /** The paths of all other requests. */
  paths: string[]
  options: ToolServerOptions
  /** Ends all sessions. */
  forgetSessions(): void
  close(): Promise<void>
}

/** As the stack has them, and open-source deployments do not. */
const lacking =
  /^\/api\/v2\/(?:sql\/|sources\/[^/]+\/metric-names|alerts\/[^/]+\/(?:evaluations|history|silenced)|alert-evaluation|charts\/(?:progress|statements|explanation)|search\/statement|sample)/

export async function startToolServer(initialOptions: ToolServerOptions): Promise<ToolServer> {
  const options = { ...initialOptions }
  const transports = new Map<string, StreamableHTTPServerTransport>()
  const messages: string[] = []
  const paths: string[] = []
  const server = createServer((incoming, response) => {
    bodyOf(incoming)
      .then((body) => {
        const path = incoming.url ?? ''
        if (path !== toolsPath) {
          paths.push(path)
          return options.behind !== undefined && !lacking.test(path)
            ? forward(options.behind, incoming, body, response)
            : missing(incoming, response)
        }
        messages.push(body)
        return answer(options, transports, { incoming, response, body })
      })
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a server that listens on a port has one
  return {
    url: `http://127.0.0.1:${port}`,
    messages,
    paths,
    options,
    forgetSessions: () => transports.clear(),
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

interface Exchange {
  incoming: IncomingMessage
  response: ServerResponse
  body: string
}

async function answer(
  options: ToolServerOptions,
  transports: Map<string, StreamableHTTPServerTransport>,
  { incoming, response, body }: Exchange,
): Promise<void> {
  if (options.instead?.(body, response)) return
  if (incoming.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end('Method Not Allowed')
  if (incoming.headers.authorization !== `Bearer ${options.key}`)
    return void response.writeHead(401).end('Unauthorized')
  const known = transports.get(String(incoming.headers['mcp-session-id']))
  if (options.sessions && !known && !body.includes('"initialize"')) {
    return void response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Session not found"}')
  }
  const transport = known ?? (await opened(options, transports))
  await transport.handleRequest(incoming, response, JSON.parse(body))
}

async function opened(
  options: ToolServerOptions,
  transports: Map<string, StreamableHTTPServerTransport>,
): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport(
    options.sessions
      ? { sessionIdGenerator: () => randomUUID(), onsessioninitialized: (id) => void transports.set(id, transport) }
      : { sessionIdGenerator: undefined },
  )
  await serverOf(options).connect(transport)
  return transport
}

/** The inputs that the open-source deployment accepts. It ignores fields that it does not know. */
const inputs: Record<ToolKey, z.ZodRawShape> = {
  listMetrics: {
    sourceId: z.string(),
    kind: z.string().optional(),
    namePattern: z.string().optional(),
    startTime: z.string().optional(),
    endTime: z.string().optional(),
    limit: z.number().int().min(1).max(500).optional(),
    cursor: z.string().optional(),
  },
  getAlert: { id: z.string().optional(), state: z.string().optional() },
  listSources: {},
  sql: {
    connectionId: z.string(),
    sql: z.string(),
    startTime: z.string().optional(),
    endTime: z.string().optional(),
  },
}

function serverOf({ tools, prefix = 'clickstack_' }: ToolServerOptions): McpServer {
  const server = new McpServer({ name: 'simulated', version: '0' })
  const register = (name: string, inputSchema: z.ZodRawShape, use: (input: Record<string, unknown>) => Answer) =>
    server.registerTool(name, { description: name, inputSchema }, async (input: Record<string, unknown>) => {
      try {
        return { content: [{ type: 'text' as const, text: textOf(await use(input)) }] }
      } catch (error) {
        return { isError: true, content: [{ type: 'text' as const, text: String((error as Error).message) }] } // tests throw errors
      }
    })
  for (const key of Object.keys(inputs) as ToolKey[]) {
    // its keys are those of the record
    const use = tools[key]
    if (use) register(prefix + deploymentTools[key].name, inputs[key], use)
  }
  // Tools that change something, which nobody must call.
  for (const name of ['save_alert', 'delete_dashboard', 'save_source']) {
    register(prefix + name, {}, () => {
      throw new Error('A tool that writes was called.')
    })
  }
  return server
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer) // without an encoding, pieces are buffers
  return Buffer.concat(pieces).toString('utf8')
}

/** As its server answers for an unknown route. */
function missing({ method, url }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!DOCTYPE html>\n<html lang="en"><body><pre>Cannot ${method} ${url}</pre></body></html>\n`)
}

function forward(to: string, { method, url = '', headers }: IncomingMessage, body: string, response: ServerResponse) {
  const { host: _, ...others } = headers
  return new Promise<void>((done, fail) => {
    const outgoing = request(to + url, { method, headers: others }, (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.headers)
      incoming.pipe(response).on('finish', () => done())
    })
    outgoing.on('error', fail)
    outgoing.end(body)
  })
}
