/** API keys of a test stack, and calls with them. */
import { basic, type Answer, type TestStack } from './testStack.ts'

export interface TestKey {
  id: string
  keyId: string
  keySecret: string
}

export interface OrganizationClient {
  /** A call below the organization with the key of `credentials.json`, or another. */
  call(method: string, path: string, body?: unknown, key?: Pick<TestKey, 'keyId' | 'keySecret'>): Promise<Answer>
  /** The result of a call that must succeed. */
  done(method: string, path: string, body?: unknown): Promise<Answer['json']>
  /** A new key. Default: without roles. */
  key(fields?: object): Promise<TestKey>
  /** A new role with one policy, and a key that has it. */
  keyWith(permissions: readonly string[], resources?: readonly string[]): Promise<TestKey & { roleId: string }>
  /** The ID of a role by its name. */
  roleId(name: string): Promise<string>
}

export function organizationClient(stack: TestStack): OrganizationClient {
  const { organizationId } = stack.identity
  let count = 0

  const call: OrganizationClient['call'] = (method, path, body, key = stack.identity) =>
    stack.send(method, `/v1/organizations/${organizationId}${path}`, {
      body,
      headers: { authorization: basic(key.keyId, key.keySecret) },
    })
  const done: OrganizationClient['done'] = async (method, path, body) => {
    const answer = await call(method, path, body)
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.json.result
  }
  const key: OrganizationClient['key'] = async (fields = {}) => {
    const { key, keyId, keySecret } = await done('POST', '/keys', { name: `Key ${++count}`, ...fields })
    return { id: key.id, keyId, keySecret }
  }
  return {
    call,
    done,
    key,
    async keyWith(permissions, resources = [`organization/${organizationId}`, 'instance/*']) {
      const policies = [{ allowDeny: 'ALLOW', permissions, resources }]
      const role = await done('POST', '/roles', { name: `Role ${++count}`, actors: [], policies })
      return { ...(await key({ assignedRoleIds: [role.id] })), roleId: role.id }
    },
    async roleId(name) {
      const roles: { id: string; name: string }[] = await done('GET', '/roles')
      return roles.find((role) => role.name === name)?.id ?? ''
    },
  }
}
