/** The API between console and gateway for two-person approval: which connections need approval, and break-glass. Deployments do not have it. */
import { z } from 'zod'
import { proposingTools, type ProposingTool } from './agents.ts'

/** The URL of a notification is left out to keep it, and null to remove it. */
export const approvalSettingsChange = z.object({
  twoPersonApproval: z.boolean(),
  notificationUrl: z
    .string()
    .trim()
    .max(2_000)
    .regex(/^https?:\/\/[^\s/?#@\\]+([/?#]\S*)?$/, 'must be an http or https address')
    .nullable()
    .optional(),
  /** Whether the notification may go to loopback and private addresses. */
  allowPrivateNotification: z.boolean().default(false),
  /** Tools by which agents may change it without approval. They stay if they are left out. */
  agentTools: z.array(z.enum(proposingTools)).max(proposingTools.length).optional(),
})
export type ApprovalSettingsChange = z.input<typeof approvalSettingsChange>

export interface ApprovalSettings {
  /** Whether changes of the connection need approval by a second person. */
  twoPersonApproval: boolean
  /** Masked; absent if nobody is told. */
  notificationUrl?: string
  allowPrivateNotification: boolean
  /** Tools by which agents may change it without approval. */
  agentTools: ProposingTool[]
  /** Names of the people who may approve changes. */
  approvers: string[]
  /** Whether the console proposes to switch it on: production, and two people who may approve. */
  isProposed: boolean
  /** Why it cannot be switched on now. */
  obstacle?: string
  /** The last notifications, the newest first. */
  deliveries: NotificationDelivery[]
}

export interface NotificationDelivery {
  event: string
  at: string
  state: 'waiting' | 'sent' | 'failed'
  attempts: number
  /** Why the last attempt failed. */
  problem?: string
}

/** The receiver's answer to a notification. */
export interface NotificationTest {
  ok: boolean
  message: string
}

export const breakGlassStart = z.object({
  reason: z.string().trim().min(10, 'Say in at least 10 characters why it cannot wait').max(1_000),
  /** The name of the connection, typed. */
  confirmedName: z.string(),
})
export type BreakGlassStart = z.input<typeof breakGlassStart>
