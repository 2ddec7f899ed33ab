/** The state of a version (draft, active, retired) by text and icon. */
import { IconArchive, IconCircleCheck, IconPencil } from '@tabler/icons-react'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import type { Template } from './template.ts'

const looks = {
  draft: { picture: IconPencil, colour: 'var(--sanad-pending)' },
  active: { picture: IconCircleCheck, colour: 'var(--sanad-verified)' },
  retired: { picture: IconArchive, colour: 'var(--sanad-quiet)' },
} as const

export const TemplateState = ({ status }: { status: Template['status'] }) => {
  const { t } = useWords(templatesWords)
  const { picture: Picture, colour } = looks[status]
  return (
    <span style={{ display: 'inline-flex', gap: 4, alignItems: 'center', color: colour, fontWeight: 600 }}>
      <Picture size={16} aria-hidden style={{ flexShrink: 0 }} />
      {t(`templates.status.${status}`)}
    </span>
  )
}
