/** The stamp, beside a name that is said in words: in the page itself, so that nobody waits for it. */
export const Logo = ({ size }: { size: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" style={{ display: 'block', flex: 'none' }} aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#0F5C63" />
    <path
      d="M9 17l5 5 9-11"
      fill="none"
      stroke="#FBFAF7"
      strokeWidth="3.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)
