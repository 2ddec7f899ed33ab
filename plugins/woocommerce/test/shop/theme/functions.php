<?php
add_theme_support('woocommerce');
add_theme_support('title-tag');
