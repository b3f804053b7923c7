/**
 * `stack-console mcp`: the MCP server of a console for agents that start a program and speak with it over its input and output.
 * Each message is passed on to the console, which decides about everything.
 */
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  InitializeResultSchema,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { agentPath } from '#contract/console/agents.ts'

/** The code of errors that JSON-RPC does not name. */
const serverError = -32_000

/** An answer of the console to a message that it did not take. */
const refusal = z.object({ error: z.object({ message: z.string() }) })

/** Passes messages on until the input ends. @returns the exit code */
export async function bridgeAgent(
  { url, token }: { url: string; token: string },
  err: (text: string) => void,
): Promise<number> {
  const agent = new StdioServerTransport()
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const console = new StreamableHTTPClientTransport(new URL(url + agentPath), { requestInit })
  const ended = new Promise<void>((done) => process.stdin.once('end', done).once('close', done))
  const pending = new Set<Promise<void>>()
  Object.assign(console, {
    onmessage: (message: JSONRPCMessage) => {
      const result = isJSONRPCResultResponse(message) ? message.result : undefined
      const started = InitializeResultSchema.safeParse(result).data
      if (started) console.setProtocolVersion(started.protocolVersion)
      void agent.send(message)
    },
  })
  Object.assign(agent, {
    onmessage: (message: JSONRPCMessage) => {
      const sending = console.send(message).catch((error: unknown) => refuse(agent, message, reasonOf(error, url), err))
      pending.add(sending)
      void sending.finally(() => pending.delete(sending))
    },
    onerror: () => err('A line of the input is not a message of the protocol.\n'),
  })
  await console.start()
  await agent.start()
  await ended
  await Promise.all(pending)
  await Promise.all([agent.close(), console.close()])
  return 0
}

/** Tells the agent why its request was not answered. Nobody waits for the answer to a notification. */
async function refuse(
  agent: StdioServerTransport,
  message: JSONRPCMessage,
  reason: string,
  err: (text: string) => void,
): Promise<void> {
  err(`${reason}\n`)
  if (!isJSONRPCRequest(message)) return
  await agent.send({ jsonrpc: '2.0', id: message.id, error: { code: serverError, message: reason } })
}

/** The console's own words, which name no secret. */
function reasonOf(error: unknown, url: string): string {
  if (!(error instanceof StreamableHTTPError)) return `The console at ${url} cannot be reached.`
  const json = /\{.*\}/s.exec(error.message)?.[0]
  const reply = json === undefined ? undefined : refusal.safeParse(parsed(json)).data
  return reply?.error.message ?? `The console answered with the status ${error.code ?? 'unknown'}.`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
