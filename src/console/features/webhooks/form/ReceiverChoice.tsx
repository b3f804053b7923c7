import { Flame, Hash, Mail, MessagesSquare, Siren, Users, Webhook as WebhookIcon, type LucideIcon } from 'lucide-react'
import { receiverKinds, receiverNames, type ReceiverKind } from '#domain/alerting/receivers/receiverKinds.ts'
import { ChoiceCards } from '#console/ui/ChoiceCards.tsx'

const icons: Record<ReceiverKind, LucideIcon> = {
  slack: Hash,
  teams: Users,
  pagerduty: Siren,
  discord: MessagesSquare,
  email: Mail,
  incidentio: Flame,
  generic: WebhookIcon,
}

const options = receiverKinds.map((kind) => ({
  value: kind,
  label: kind === 'generic' ? 'Custom (HTTP)' : receiverNames[kind],
  icon: icons[kind],
}))

interface ReceiverChoiceProps {
  /** null: a service that this console does not know. */
  kind: ReceiverKind | null
  onPick: (kind: ReceiverKind) => void
}

/** Which receiver a webhook notifies. It is not stored: the other fields say it. */
export function ReceiverChoice({ kind, onPick }: ReceiverChoiceProps) {
  return <ChoiceCards label="Receiver" value={kind ?? ''} options={options} onChange={onPick} />
}
