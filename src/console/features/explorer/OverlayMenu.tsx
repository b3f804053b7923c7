import { useSuspenseQuery } from '@tanstack/react-query'
import { Blend, Server, X } from 'lucide-react'
import { connectionsQuery } from '#console/api/connections.ts'
import { charts } from '#contract/stack/charts.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { MenuChoice } from '#console/ui/actions/actions.ts'
import { MenuButton } from '#console/ui/actions/MenuButton.tsx'

interface OverlayMenuProps {
  own: Connection
  /** Id of the overlaid connection; empty is none. */
  over: string
  onChange: (over: string) => void
}

/** Chooses the second connection that answers the same question. */
export function OverlayMenu({ own, over, onChange }: OverlayMenuProps) {
  const { data: connections } = useSuspenseQuery(connectionsQuery)
  const others = connections.filter(({ id }) => id !== own.id)
  const chosen = others.find(({ id }) => id === over)
  const choices = others.map((connection): MenuChoice => ({
    icon: Server,
    label: connection.name,
    detail: detailOf(connection),
    run: () => onChange(connection.id),
  }))
  const none: MenuChoice = {
    icon: X,
    label: 'No overlay',
    detail: 'this connection only',
    run: () => onChange(''),
    ...(others.length === 0 && { disabled: 'No other connection. Add one under Connections.' }),
  }
  return (
    <MenuButton
      icon={Blend}
      label={chosen ? `Overlay: ${chosen.name}` : 'Overlay'}
      choices={over === '' && choices.length > 0 ? choices : [none, ...choices]}
    />
  )
}

function detailOf({ variant, environment }: Connection): string {
  const offers = charts.query.variants.includes(variant) ? '' : 'its API has no chart queries'
  return [environment, offers].filter(Boolean).join(' · ') || 'same query, drawn dashed'
}
