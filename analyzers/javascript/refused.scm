; Code that the parser accepts although JavaScript or JSHint does not.
(statement_block [(import_statement) (export_statement)] @refused)
(program [(return_statement) (labeled_statement)] @refused)
(labeled_statement body: [(expression_statement) (statement_block)] @refused)
(expression_statement . [(object) (function_expression) (class)] @refused)
(expression_statement (sequence_expression . (object) @refused))
[(jsx_element) (jsx_self_closing_element) (field_definition)] @refused
((method_definition name: (property_identifier) @refused)
  (#any-of? @refused "if" "else" "for" "while" "switch" "catch"))
(variable_declarator name: [(object_pattern) (array_pattern)] !value) @refused
