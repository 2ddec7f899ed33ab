import { bool, bytes, jsonText, nullable, text, whole } from '../postgres/query/columns.ts'

/** The account as buyers' pages show it: from its row `a` of accounts and its row `p` of checkout_pages (a left join). */
export const shopColumns = {
  shop_name: text(),
  shop_color: text(),
  shop_logo: nullable(bytes()),
  shop_logo_width: nullable(whole()),
  shop_logo_height: nullable(whole()),
  shop_whatsapp: text(),
  shop_phone: text(),
  shop_active: bool(),
  frame_origins: jsonText(),
}

/** The columns above as a select list, in the same order. */
export const shopFields = `
         coalesce(nullif(p.shop_name, ''), a.name) as shop_name, coalesce(p.color, '') as shop_color,
         p.logo_hash as shop_logo, p.logo_width as shop_logo_width, p.logo_height as shop_logo_height,
         coalesce(p.whatsapp, '') as shop_whatsapp, coalesce(p.phone, '') as shop_phone,
         a.status = 'ACTIVE' as shop_active, coalesce(to_json(p.frame_origins), '[]') as frame_origins`
