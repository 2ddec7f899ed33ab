<!doctype html>
<html <?php language_attributes(); ?>>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><?php wp_head(); ?></head>
<body <?php body_class(); ?>>
<?php wp_body_open(); ?>
<main><?php while (have_posts()) : the_post(); ?><h1><?php the_title(); ?></h1><?php the_content(); endwhile; ?></main>
<?php wp_footer(); ?>
</body>
</html>
