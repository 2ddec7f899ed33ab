/** The way back from one thing to where it is listed. */
import { Anchor } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'wouter'

/** Stands close under the name of its page. `beside`: in a line with others, which does. */
export const BackTo = ({ href, name, beside = false }: { href: string; name: string; beside?: boolean }) => (
  <div style={beside ? undefined : { marginTop: -16 }}>
    <Anchor
      component={Link}
      href={href}
      style={{ display: 'inline-flex', gap: 4, alignItems: 'center', minHeight: 32 }}
    >
      <span className="mirrored">
        <IconArrowLeft size={16} aria-hidden />
      </span>
      {name}
    </Anchor>
  </div>
)
