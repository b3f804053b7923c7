/** For tests: agents that use the MCP server of a test gateway with the official client. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { SignedIn } from './testPeople.ts'

interface TokenLimits {
  role?: string
  connections?: string[] | null
  validFor?: 'console' | 'agents'
}

/** A personal token with the role editor, or others. */
export async function tokenOf(person: Pick<SignedIn, 'call'>, limits: TokenLimits = {}) {
  const body = { name: 'agent key', role: 'editor', connections: null, days: 1, ...limits }
  const { json } = await person.call('POST', '/api/account/tokens', body)
  return { id: String(json['id']), secret: String(json['secret']) }
}

/** An agent with a token. `use` returns the answer of a tool. */
export async function agentWith(gateway: { address: string }, secret: string, name = 'Test agent') {
  const client = new Client({ name, version: '1.2' })
  const requestInit = { headers: { authorization: `Bearer ${secret}` } }
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', gateway.address), { requestInit })
  // Its optional fields may be undefined, which the interface of the SDK does not say.
  await client.connect(transport as Parameters<Client['connect']>[0])
  return { client, use: (name: string, args: Record<string, unknown> = {}) => useTool(client, name, args) }
}

/** Calls a tool, whose answers are one JSON text each. */
async function useTool(client: Client, name: string, args: Record<string, unknown>) {
  const { content, isError = false } = await client.callTool({ name, arguments: args })
  const [first] = content as { text: string }[] // of every tool
  const text = first?.text ?? 'null'
  return { isError, text, json: JSON.parse(text) }
}
