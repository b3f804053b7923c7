/** Agents: programs that use a console through its MCP server, with a personal token. Without schemas, so that pages load none. */

/** The MCP server of a console: Streamable HTTP. */
export const agentPath = '/mcp'

/** Characters of the name that an agent gives itself. */
export const maxAgentName = 60

/** Tools that ask for a change. A connection may allow them to change it without approval, unless it is in production. */
export const proposingTools = [
  'create_dashboard',
  'update_dashboard',
  'create_alert',
  'update_alert',
  'silence_alert',
  'scale_pipe',
  'scale_service',
  'promote_record',
] as const
export type ProposingTool = (typeof proposingTools)[number]

/** The tools in words. */
export const proposingToolLabels: Record<ProposingTool, string> = {
  create_dashboard: 'Create dashboards',
  update_dashboard: 'Change dashboards',
  create_alert: 'Create alerts',
  update_alert: 'Change alerts',
  silence_alert: 'Silence alerts',
  scale_pipe: 'Scale data pipes',
  scale_service: 'Scale services',
  promote_record: 'Promote records to this connection',
}

/** An agent that sends a request, and what it does with it. */
export interface Agent {
  /** The name that the agent gives itself, cleaned by `agentName`. */
  name: string
  tool: string
  /** Whether the change removes or replaces something, so that a person must approve it in any case. */
  removes: boolean
}

/** The sender of what an agent does: the token of a person, and the agent. */
export const withAgent = (actor: string, agent: string): string => `${actor}, agent ${agent}`

/**
 * The name of an agent as it is shown and stored: letters, digits and a few signs, so that it cannot be taken for the name
 * of a person or for another part of a sentence.
 */
export function agentName(clientName: string): string {
  const plain = clientName
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N} ._/@+-]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return plain.slice(0, maxAgentName).trim() || 'unnamed'
}
