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

export const toolsByName: ReadonlyMap<string, Tool> = new Map(tools.map((one) => [one.name, one]))

/** The tools as the protocol lists them. */
export const listedTools = tools.map((one) => ({
  name: one.name,
  title: one.title,
  description: one.description,
  // Every input is an object, as the protocol requires.
  inputSchema: inputSchemaOf(one.input),
  annotations: annotationsOf(one),
}))

function inputSchemaOf(input: z.ZodType) {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return { ...schema, type: 'object' as const }
}

function annotationsOf(one: Tool) {
  if (one.kind === 'read') {
    return { title: one.title, readOnlyHint: true, openWorldHint: one.isTelemetry === true }
  }
  const { title, replaces: destructiveHint, isIdempotent: idempotentHint } = one
  return { title, readOnlyHint: false, destructiveHint, idempotentHint, openWorldHint: false }
}
