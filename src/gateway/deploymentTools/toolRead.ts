/** A read with the tools of a deployment. */
import type { ToolInput, ToolKey, ToolOutput } from '#contract/deploymentTools.ts'
import type { Operation } from '#node/upstream/operation.ts'
import type { UpstreamResult } from '#node/upstream/upstreamReply.ts'

/** A result, and where it comes from if that is not the API: a sentence. */
export interface ReadResult extends UpstreamResult {
  origin?: string | undefined
}

export type CallTool = <K extends ToolKey>(tool: K, input: ToolInput<K>) => Promise<ToolOutput<K>>
export type ToolRead = (call: CallTool, operation: Operation) => Promise<ReadResult>

/** The start of the sentence that says where a result comes from. */
export const toolOrigin = 'From the deployment’s MCP endpoint'
