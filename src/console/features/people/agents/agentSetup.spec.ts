import { expect, test } from 'vitest'
import { agentKinds, agentSetup } from './agentSetup.ts'

const address = 'https://tools.example/console'

test('every configuration has the address of the console, and a placeholder for the token', () => {
  for (const kind of agentKinds) {
    const text = agentSetup(kind, address)
    expect(text).toContain(address)
    expect(text.match(/YOUR_TOKEN/g)).toHaveLength(1)
  }
})

test('agents that read JSON get the form that they know', () => {
  expect(JSON.parse(agentSetup('cursor', address))).toEqual({
    mcpServers: { 'stack-console': { url: `${address}/mcp`, headers: { Authorization: 'Bearer YOUR_TOKEN' } } },
  })
  expect(JSON.parse(agentSetup('vsCode', address))).toMatchObject({
    servers: { 'stack-console': { type: 'http', url: `${address}/mcp` } },
  })
  expect(JSON.parse(agentSetup('claudeDesktop', address))).toMatchObject({
    mcpServers: { 'stack-console': { command: 'stack-console', args: ['mcp'] } },
  })
})
