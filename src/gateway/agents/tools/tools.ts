/** The table of all tools. */
import { z } from 'zod'
import { alertTools } from './alertTools.ts'
import { capacityTools } from './capacityTools.ts'
import { historyTools } from './historyTools.ts'
import { proposalTools } from './proposalTools.ts'
import { recordTools } from './recordTools.ts'
import { telemetryTools } from './telemetryTools.ts'
import type { Tool } from './tool.ts'

const tools: readonly Tool[] = [
  ...recordTools,
  ...alertTools,
  ...telemetryTools,
  ...capacityTools,
  ...historyTools,
  ...proposalTools,
]

export const toolsByName: ReadonlyMap<string, Tool> = new Map(tools.map((tool) => [tool.name, tool]))

/** The tools as the protocol lists them. */
export const listedTools = tools.map((tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  // Every input is an object, as the protocol requires.
  inputSchema: inputSchemaOf(tool.input),
  annotations: annotationsOf(tool),
}))

function inputSchemaOf(input: z.ZodType) {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return { ...schema, type: 'object' as const }
}

function annotationsOf(tool: Tool) {
  if (tool.kind === 'read') {
    return { title: tool.title, readOnlyHint: true, openWorldHint: tool.isTelemetry === true }
  }
  const { title, replaces: destructiveHint, isIdempotent: idempotentHint } = tool
  return { title, readOnlyHint: false, destructiveHint, idempotentHint, openWorldHint: false }
}
