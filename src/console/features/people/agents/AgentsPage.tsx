import { useQuery } from '@tanstack/react-query'
import { Bot, UserRoundCheck } from 'lucide-react'
import { useState } from 'react'
import { connectionsQuery } from '#console/api/connections.ts'
import { accountQuery } from '#console/api/gateway/people.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { sessionQuery } from '#console/api/session.ts'
import { paths } from '#console/paths/paths.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { basePath } from '#console/api/document/basePath.ts'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Row } from '#console/ui/layout/Row.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { TokensPanel } from '../TokensPanel.tsx'
import { AgentCallsPanel } from './AgentCallsPanel.tsx'
import { agentKinds, agentLabels, agentPlaces, agentSetup, type AgentKind } from './agentSetup.ts'
import * as css from '../people.module.css'

export function prefetch(): void {
  void queryClient.prefetchQuery(sessionQuery)
  void queryClient.prefetchQuery(connectionsQuery)
}

/** Agents: the tokens that they use, how to connect them, and what they did. */
export default function AgentsPage() {
  const { data: session } = useQuery(sessionQuery)
  const { data: connections = [] } = useQuery(connectionsQuery)
  return (
    <Page
      title="Agents"
      lead="Agents read with a personal token, and propose changes. Nothing changes until a person approves it, unless the approval settings of a connection allow a tool."
      actions={
        <LinkButton to={paths.changeRequests()} startIcon={<UserRoundCheck size={14} aria-hidden />}>
          Approvals
        </LinkButton>
      }
    >
      <Column gap={16}>
        {!session ? (
          <Skeleton variant="rounded" height={160} />
        ) : session.person ? (
          <OwnTokens connections={connections} />
        ) : (
          <Panel>
            <EmptyState
              icon={Bot}
              title="Agents need a personal token"
              action={<LinkButton to={paths.people()}>People</LinkButton>}
            >
              A token belongs to an account, and you are signed in without one. Add yourself under People.
            </EmptyState>
          </Panel>
        )}
        <AgentSetupPanel />
        <AgentCallsPanel connections={connections} />
      </Column>
    </Page>
  )
}

function OwnTokens({ connections }: { connections: readonly Connection[] }) {
  const { data, error, refetch } = useQuery(accountQuery)
  if (error) return <QueryError error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={160} />
  return <TokensPanel tokens={data.tokens} connections={connections} validFor="agents" />
}

/** Configuration for the usual agents. */
function AgentSetupPanel() {
  const [kind, setKind] = useState<AgentKind>('claudeCode')
  const text = agentSetup(kind, location.origin + basePath)
  return (
    <Panel title="Connect an agent">
      <Column gap={12}>
        <Text color="textSecondary">
          Create a token with the role and the connections that the agent needs, and put it in place of YOUR_TOKEN.
        </Text>
        <Row>
          <ToggleButtons
            label="Agent"
            value={kind}
            options={agentKinds.map((value) => ({ value, label: agentLabels[value] }))}
            onChange={setKind}
          />
          <CopyButton key={kind} label="Copy" text={text} />
        </Row>
        <Text color="textSecondary">{agentPlaces[kind]}</Text>
        <ScrollRegion as="pre" label={`Configuration for ${agentLabels[kind]}`} className={css.setup}>
          {text}
        </ScrollRegion>
      </Column>
    </Panel>
  )
}
