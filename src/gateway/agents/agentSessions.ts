/**
 * Sessions of agents. Nothing of them is stored: the ID has the name that the agent gave itself, bound to its token by a
 * signature, so that every console of a database knows it, also after a restart.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { agentName, maxAgentName } from '#contract/console/agents.ts'

/** UTF-8 bytes of a name, and of a signature, in base64url. */
const pattern = new RegExp(String.raw`^([\w-]{1,${Math.ceil((maxAgentName * 4 * 4) / 3) + 2}})\.([\w-]{43})$`)

export class AgentSessions {
  constructor(private readonly key: Buffer) {}

  /** @param tokenKey identifies the token: `sessionKey` of its requests */
  begin(tokenKey: string, clientName: string): string {
    const name = Buffer.from(agentName(clientName)).toString('base64url')
    return `${name}.${this.signature(tokenKey, name)}`
  }

  /** The name of the agent; undefined for an ID that was not given to this token. */
  nameOf(tokenKey: string, id: string): string | undefined {
    const [, name = '', signature = ''] = pattern.exec(id) ?? []
    if (name === '') return undefined
    const expected = Buffer.from(this.signature(tokenKey, name))
    const sent = Buffer.from(signature)
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return undefined
    return agentName(Buffer.from(name, 'base64url').toString('utf8'))
  }

  private signature(tokenKey: string, name: string): string {
    return createHmac('sha256', this.key).update(`${tokenKey}\n${name}`).digest('base64url')
  }
}
