/** Configuration of agents, ready to be copied. The token is left to the person. */
import { agentPath } from '#contract/console/agents.ts'

export const agentKinds = ['claudeCode', 'claudeDesktop', 'vsCode', 'cursor', 'program'] as const
export type AgentKind = (typeof agentKinds)[number]

export const agentLabels: Record<AgentKind, string> = {
  claudeCode: 'Claude Code',
  claudeDesktop: 'Claude Desktop',
  vsCode: 'VS Code',
  cursor: 'Cursor',
  program: 'Other (stdio)',
}

/** Where each configuration belongs. */
export const agentPlaces: Record<AgentKind, string> = {
  claudeCode: 'Run it in a terminal.',
  claudeDesktop: 'In claude_desktop_config.json, on a machine that has the program stack-console.',
  vsCode: 'In .vscode/mcp.json of a workspace, or in the user configuration of MCP servers.',
  cursor: 'In .cursor/mcp.json of a project, or in ~/.cursor/mcp.json.',
  program: 'For agents that start a program and speak with it over its input and output.',
}

const name = 'stack-console'
/** Stands for the token. */
const placeholder = 'YOUR_TOKEN'

/** @param address of the console, without a slash at its end */
export function agentSetup(kind: AgentKind, address: string): string {
  const url = address + agentPath
  const headers = { Authorization: `Bearer ${placeholder}` }
  const program = {
    command: 'stack-console',
    args: ['mcp'],
    env: { STACK_CONSOLE_URL: address, STACK_CONSOLE_TOKEN: placeholder },
  }
  switch (kind) {
    case 'claudeCode':
      return `claude mcp add --transport http ${name} ${url} --header "Authorization: Bearer ${placeholder}"`
    case 'claudeDesktop':
      return json({ mcpServers: { [name]: program } })
    case 'vsCode':
      return json({ servers: { [name]: { type: 'http', url, headers } } })
    case 'cursor':
      return json({ mcpServers: { [name]: { url, headers } } })
    case 'program':
      return `STACK_CONSOLE_URL=${address} STACK_CONSOLE_TOKEN=${placeholder} stack-console mcp`
  }
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)
