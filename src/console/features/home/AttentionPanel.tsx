import { KeyRound, Server, Workflow, type LucideIcon } from 'lucide-react'
import { LinkButton, TextLink } from '#console/shell/LinkButton.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { visibleText } from '#domain/text/visibleText.ts'
import type { AttentionItem } from './attention.ts'
import { ConnectionSuffix } from './ConnectionSuffix.tsx'
import type { HomeEnvironment } from './useHome.ts'
import * as css from './home.module.css'

const icons: Record<AttentionItem['kind'], LucideIcon> = { pipe: Workflow, service: Server, key: KeyRound }

interface AttentionPanelProps {
  items: readonly AttentionItem[]
  environments: readonly HomeEnvironment[]
}

/** Pipes, services and keys that need somebody, each with what helps. */
export function AttentionPanel({ items, environments }: AttentionPanelProps) {
  const unknown = environments.filter(({ problems }) => problems?.reason !== undefined)
  return (
    <Panel
      title="Needs attention"
      flush
      aside={<StatusChip tone={items.length > 0 ? 'warn' : 'neutral'}>{items.length}</StatusChip>}
    >
      <ul className={css.items} aria-label="Needs attention">
        {items.map(({ key, kind, name, connection, problem, to, advice }) => {
          const Icon = icons[kind]
          return (
            <li key={key} className={css.item}>
              <Icon size={15} aria-hidden className={css.warn} />
              <span className={css.itemText}>
                <TextLink to={to} row>
                  {visibleText(name)}
                </TextLink>
                <span className={css.detail}>
                  <ConnectionSuffix connection={connection} /> · {visibleText(problem)}
                </span>
              </span>
              <LinkButton to={advice.to} aria-label={`${advice.label}: ${visibleText(name)}`}>
                {advice.label}
              </LinkButton>
            </li>
          )
        })}
      </ul>
      {items.length === 0 && (
        <PanelText>
          {unknown.length > 0
            ? 'Nothing known. Some environments could not be read.'
            : 'No pipe, service or key needs attention.'}
        </PanelText>
      )}
      {unknown.map(({ connection, problems }) => (
        <PanelText key={connection.id}>
          {visibleText(connection.name)}: {problems?.reason}
        </PanelText>
      ))}
    </Panel>
  )
}
